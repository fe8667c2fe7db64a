"""Ancestors from libraries that hold the tree as objects: taxopy, ete4 and ete3."""

from abc import abstractmethod
from typing import Any, Dict, List, Optional

import common
from peers.peer import Ask, Peer


class Taxopy(Peer):
    system = "taxopy"
    works = ("lca",)
    packages = ("taxopy",)
    note = "both Taxon objects and find_lca; load reads nodes.dmp and names.dmp"

    def build(self) -> None:
        taxa = common.rows(self.database, "SELECT id, parent_id, rank, scientific_name FROM taxa")
        with open(self.folder / "nodes.dmp", "w") as nodes, \
                open(self.folder / "names.dmp", "w") as names:
            for taxon, parent, rank, name in taxa:
                above = taxon if parent is None else parent
                nodes.write(f"{taxon}\t|\t{above}\t|\t{rank}\t|\n")
                names.write(f"{taxon}\t|\t{name}\t|\t\t|\tscientific name\t|\n")

    def load(self) -> None:
        import taxopy
        self.library = taxopy
        self.taxonomy = taxopy.TaxDb(nodes_dmp=str(self.folder / "nodes.dmp"),
                                     names_dmp=str(self.folder / "names.dmp"))

    def ask(self, work: str) -> Ask:
        taxon, find, taxonomy = self.library.Taxon, self.library.find_lca, self.taxonomy
        error = self.library.exceptions.LCAError

        def answer(pair: List[int]) -> Optional[int]:
            try:
                return int(find([taxon(pair[0], taxonomy), taxon(pair[1], taxonomy)],
                                taxonomy).taxid)
            except error:
                return None
        return answer


class ETE(Peer):
    """A tree of objects, read from Newick; several roots get one above them, named 0."""

    works = ("lca",)
    is_compiled = True
    note = "load reads Newick and looks up the nodes by id"

    def build(self) -> None:
        children: Dict[Optional[int], List[int]] = {}
        for taxon, parent in common.rows(
                self.database, "SELECT id, parent_id FROM taxa ORDER BY id"):
            children.setdefault(parent, []).append(taxon)
        pieces: List[str] = []
        waiting: List[Any] = [0]
        children[0] = children.get(None, [])
        while waiting:
            item = waiting.pop()
            below = children.get(item, []) if isinstance(item, int) else []
            if not below:
                pieces.append(str(item))
                continue
            pieces.append("(")
            waiting.append(f"){item}")
            for place, child in enumerate(reversed(below)):
                waiting.extend([","] if place else [])
                waiting.append(child)
        (self.folder / "tree.nwk").write_text("".join(pieces) + ";")

    def load(self) -> None:
        self.tree = self.read((self.folder / "tree.nwk").read_text())
        self.nodes = {int(node.name): node for node in self.tree.traverse()}

    @abstractmethod
    def read(self, newick: str) -> Any:
        """The tree of a text."""

    @abstractmethod
    def ancestor(self, a: Any, b: Any) -> Any:
        """The lowest node above both."""

    def ask(self, work: str) -> Ask:
        nodes, ancestor = self.nodes, self.ancestor

        def answer(pair: List[int]) -> Optional[int]:
            a, b = nodes[pair[0]], nodes[pair[1]]
            return int((a if a is b else ancestor(a, b)).name) or None
        return answer


class ETE4(ETE):
    system = "ete4"
    packages = ("ete4",)

    def read(self, newick: str) -> Any:
        from ete4 import Tree
        return Tree(newick, parser=8)

    def ancestor(self, a: Any, b: Any) -> Any:
        return self.tree.common_ancestor(a, b)


class ETE3(ETE):
    system = "ete3"
    packages = ("ete3", "six", "numpy", "setuptools")

    def read(self, newick: str) -> Any:
        from ete3 import Tree
        return Tree(newick, format=8)

    def ancestor(self, a: Any, b: Any) -> Any:
        return self.tree.get_common_ancestor(a, b)

