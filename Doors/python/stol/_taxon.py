"""Taxa as objects, trees as text, and how both look in a notebook."""
from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, Optional, Sequence, Union

import numpy

from ._columns import Single, kind_of, place
from ._library import NO_TAXON, choice, shown

if TYPE_CHECKING:
    from ._pack import Pack

MAIN_RANKS = ("domain", "kingdom", "phylum", "class", "order", "family", "genus", "species")
# So many children are shown.
_SHOWN = 20


class Taxon(Single):
    """A taxon of one pack, for looking at one after another; what asks much asks the pack with columns."""

    __slots__ = ("pack", "ordinal")

    def __init__(self, pack: Pack, ordinal: int) -> None:
        self.pack = pack
        #: Its position in the pack.
        self.ordinal = ordinal

    def _text(self, field: str, language: Optional[str] = None) -> Optional[str]:
        return self.pack._texts(self._array, field, language).listed()[0]

    @property
    def _array(self) -> Any:
        return numpy.array([self.ordinal], numpy.uint32)

    @property
    def id(self) -> Optional[Union[int, str]]:
        """Its id in the source; None for a root that no source has."""
        return self.pack._give_ids("one", self._array, None)  # type: ignore[no-any-return]

    @property
    def name(self) -> str:
        """The scientific name."""
        return self._text("scientific_name") or ""

    @property
    def rank(self) -> str:
        """The rank, in the word of the source."""
        return self._text("rank") or ""

    @property
    def authorship(self) -> Optional[str]:
        """Who gave the name."""
        return self._text("authorship")

    @property
    def common_name(self) -> Optional[str]:
        """The preferred common name in English."""
        return self._text("common_name")

    def common_name_in(self, language: str) -> Optional[str]:
        """The preferred common name in a language, as in "pt-BR", or what comes nearest to it."""
        return self._text("common_name", language)

    @property
    def parent(self) -> Optional[Taxon]:
        """What it is directly below; None for a root."""
        found = int(self.pack._of_taxa("parents", self._array)[0])
        return None if found == NO_TAXON else Taxon(self.pack, found)

    @property
    def lineage(self) -> list[Taxon]:
        """The way from the root to it, itself last."""
        _, found = self.pack._with_room(1, 64, numpy.uint32, "lineages", place(self._array), 1)
        return [Taxon(self.pack, ordinal) for ordinal in found.tolist()]

    @property
    def children(self) -> list[Taxon]:
        """What is directly below it, by scientific name."""
        return [Taxon(self.pack, ordinal) for ordinal in self.pack._children(self.ordinal).tolist()]

    @property
    def end(self) -> int:
        """The ordinal behind that of the last taxon below it."""
        return int(self.pack._of_taxa("subtree_ends", self._array)[0])

    @property
    def descendants(self) -> Iterator[Taxon]:
        """All taxa below it, in depth-first preorder."""
        return (Taxon(self.pack, ordinal) for ordinal in range(self.ordinal + 1, self.end))

    def __contains__(self, other: object) -> bool:
        """Whether a taxon, or that of an id, is below it."""
        if not isinstance(other, Taxon) and kind_of(other) != "one":
            raise TypeError(f"a taxon or an id is in {self!r}, and not {shown(other)}; many: pack.lca(ids, taxon)")
        try:
            self.pack._refuse_name(other)
        except ValueError:
            raise TypeError(f"{shown(other)} is no id: a name has to be looked for first, pack[{shown(other)}] in taxon") from None
        return self.ordinal < int(self.pack._ordinals(other, False, "what is looked for")[0]) < self.end

    def ancestor(self, rank: str) -> Optional[Taxon]:
        """Its nearest ancestor of a rank, or itself."""
        found = int(self.pack._rank_columns(self._array, [rank])[0, 0])
        return None if found == NO_TAXON else Taxon(self.pack, found)

    def lca(self, other: "Taxon | int | str") -> Optional[Taxon]:
        """The lowest common ancestor of it and another taxon, or that of an id."""
        return compare(self, Taxon(self.pack, self.pack._one(other))).ancestor

    def newick(self, *, labels: str = "name", collapse: bool = False) -> str:
        """The tree of it and all below it, as `Pack.newick`."""
        return self.pack.newick(self, labels=labels, collapse=collapse)

    @property
    def _is_implied(self) -> bool:
        return self.ordinal == 0 and self.pack.has_implied_root

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Taxon) and other.pack is self.pack and other.ordinal == self.ordinal

    def __hash__(self) -> int:
        return hash((id(self.pack), self.ordinal))

    def __reduce__(self) -> Any:
        # The pack is restored where it is the same, which ordinals are those of.
        return Taxon, (self.pack, self.ordinal)

    def __copy__(self) -> Taxon:
        return self

    def __deepcopy__(self, known: Any) -> Taxon:
        return self

    def __str__(self) -> str:
        return visible(self.name)

    def __repr__(self) -> str:
        if self.pack.is_closed:
            return f"<Taxon of a pack that has been closed: {self.pack.path}>"
        return f"<Taxon {self.id}: {visible(self.name)}, {visible(self.rank)}>"

    def _repr_html_(self) -> str:
        children = self.children
        below = [_item(child) for child in children[:_SHOWN]]
        if len(children) > _SHOWN:
            below.append(f"<li>and {len(children) - _SHOWN:,} more</li>")
        tree = _item(self, below, is_marked=True)
        for ancestor in reversed(self.lineage[:-1]):
            tree = _item(ancestor, [tree])
        return _list([tree])


class Comparison(NamedTuple):
    """How two taxa are related: what `stol query compare` says but for traits."""

    a: Taxon
    b: Taxon
    #: the lowest common ancestor; None for taxa of different roots
    ancestor: Optional[Taxon]
    #: from each up to the common ancestor, both included; to the root if there is none
    path_from_a: list[Taxon]
    path_from_b: list[Taxon]
    #: steps between taxa of the eight main ranks on the way from one to the other
    distance: Optional[int]
    #: as in "Both are in order Carnivora"
    description: str

    def _repr_html_(self) -> str:
        trees = []
        for path in (self.path_from_a, self.path_from_b):
            tree = ""
            for taxon in path[:-1] if self.ancestor else path:
                tree = _item(taxon, [tree] if tree else [], is_marked=taxon in (self.a, self.b))
            trees += [tree] if tree else []
        if self.ancestor:
            trees = [_item(self.ancestor, trees, is_marked=self.ancestor in (self.a, self.b))]
        return f"{_list(trees)}<p>{_escaped(self.description)}</p>"


def compare(a: Taxon, b: Taxon) -> Comparison:
    """How two taxa of one pack are related."""
    if a.pack is not b.pack:
        raise ValueError("the two are of different packs")
    paths = [[taxon.ordinal for taxon in reversed(each.lineage)] for each in (a, b)]
    shared = set(paths[0]) & set(paths[1])
    ancestor = Taxon(a.pack, max(shared)) if shared else None
    distance = None
    if ancestor:
        paths = [path[:path.index(ancestor.ordinal) + 1] for path in paths]
        below = numpy.array([ordinal for path in paths for ordinal in path[:-1]], numpy.uint32)
        # A taxon of a main rank is its own nearest ancestor of that rank.
        distance = int((a.pack._rank_columns(below, MAIN_RANKS) == below).any(axis=0).sum())
    from_a, from_b = ([Taxon(a.pack, ordinal) for ordinal in path] for path in paths)
    return Comparison(a, b, ancestor, from_a, from_b, distance, _description(a, b, ancestor))


def _description(a: Taxon, b: Taxon, ancestor: Optional[Taxon]) -> str:
    if not ancestor:
        return "They have no common ancestor in this database"
    if a == b:
        return f"Both are {a.name}"
    if ancestor._is_implied:
        return "They share only a root that no source has"
    clade = ancestor.name if ancestor.rank == "no rank" else f"{ancestor.rank} {ancestor.name}"
    for one, other in ((a, b), (b, a)):
        if one == ancestor:
            return f"{other.name} is in {clade}"
    return f"Both are in {clade}"


def newick(pack: Pack, taxa: Sequence[int], labels: str, collapse: bool) -> str:
    """The tree of one taxon and all below it, or the one that connects several, in Newick format."""
    choice(labels, ("name", "id"), "labels")
    if NO_TAXON in taxa:
        raise ValueError(f"row {list(taxa).index(NO_TAXON)} is no taxon")
    if len(taxa) == 1:
        nodes = pack._below(taxa[0])
        above = (pack._of_taxa("parents", nodes).astype(numpy.int64) - taxa[0]).tolist()
        above[0] = -1
    else:
        nodes, above = _connecting(pack, numpy.unique(numpy.array(taxa, numpy.uint32)))
    if collapse:
        nodes, above = _collapsed(nodes, above, set(taxa))
    texts = pack._texts(nodes, "scientific_name" if labels == "name" else "id").listed()
    return _written([_label(text) for text in texts] if labels == "name" else [_label(text) if text else "" for text in texts], above)


def _connecting(pack: Pack, taxa: Any) -> "tuple[Any, list[int]]":
    """The taxa and the common ancestors of neighbours, which are all there are, and of each the position of what is above."""
    common = pack._lca_block(taxa[:-1], taxa[1:])
    nodes = numpy.unique(numpy.concatenate([taxa, common[common != NO_TAXON]]))
    last = pack._of_taxa("subtree_ends", nodes).tolist()
    above: list[int] = []
    path: list[int] = []
    for number, taxon in enumerate(nodes.tolist()):
        while path and last[path[-1]] <= taxon:
            path.pop()
        above.append(path[-1] if path else -1)
        path.append(number)
    return nodes, above


def _collapsed(nodes: Any, above: "list[int]", requested: "set[int]") -> "tuple[Any, list[int]]":
    """The same without nodes of a single child that nobody asked for."""
    counts = numpy.bincount(numpy.array(above, numpy.int64) + 1, minlength=len(above) + 1)[1:]
    kept: list[int] = []
    parents: list[int] = []
    # Where each node or, for one that is left out, what is above it, stands among those kept.
    positions: list[int] = []
    for number, (taxon, parent, count) in enumerate(zip(nodes.tolist(), above, counts.tolist())):
        new = positions[parent] if parent >= 0 else -1
        if count == 1 and taxon not in requested:
            positions.append(new)
            continue
        positions.append(len(kept))
        kept.append(number)
        parents.append(new)
    return nodes[kept], parents


def _written(labels: "list[str]", above: "list[int]") -> str:
    pieces: list[str] = []
    # Nodes whose children are still being written, and whether any has been.
    path: list[int] = []
    has_children = [False] * len(labels)

    def close() -> None:
        number = path.pop()
        pieces.append((")" if has_children[number] else "") + labels[number] + ("" if path else ";"))
    for number, parent in enumerate(above):
        while path and path[-1] != parent:
            close()
        if path:
            pieces.append("," if has_children[parent] else "(")
            has_children[parent] = True
        elif number:
            pieces.append("\n")
        path.append(number)
    while path:
        close()
    return "".join(pieces)


_PLAIN = re.compile("[0-9A-Za-z.\\-\\u0080-\\U0010ffff]+")
# Controls, ends of lines, and what turns the direction of writing.
_HARMFUL = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff\\u061c]")


def _label(text: Optional[str]) -> str:
    """Olsen 1990, "Newick's 8:45": a quoted label doubles its quotes."""
    text = text or ""
    return visible(text if _PLAIN.fullmatch(text) else "'" + text.replace("'", "''") + "'")


def visible(text: str) -> str:
    """A text in which nothing can move a cursor or turn a line around."""
    return _HARMFUL.sub(lambda found: f"\\u{{{ord(found[0]):x}}}", text)


def _escaped(text: Optional[str]) -> str:
    return escape(visible(text or ""))


def _item(taxon: Taxon, below: "Sequence[str]" = (), is_marked: bool = False) -> str:
    name = _escaped(taxon.name) or "(root)"
    if taxon.rank in ("genus", "species"):
        name = f"<i>{name}</i>"
    common = _escaped(taxon.common_name)
    said = f"{'<b>' + name + '</b>' if is_marked else name} <small>{_escaped(taxon.rank)}{', ' + common if common else ''}</small>"
    return f"<li>{said}{_list(below) if below else ''}</li>"


def _list(items: "Sequence[str]") -> str:
    return f'<ul style="list-style:none;margin:0;padding-left:1em">{"".join(items)}</ul>'


def pack_html(pack: Pack) -> str:
    """What a pack holds, and its highest taxa."""
    facts = [fact for fact in (pack.fact("name"), pack.fact("release")) if fact]
    roots = pack.roots
    shown = [_item(root, [_item(child) for child in root.children[:_SHOWN]] if len(roots) == 1 else ()) for root in roots[:_SHOWN]]
    if len(roots) > _SHOWN:
        shown.append(f"<li>and {len(roots) - _SHOWN:,} more</li>")
    head = _escaped(", ".join(facts)) or _escaped(pack.path)
    return f"<p><b>{head}</b>: {pack.taxon_count:,} taxa, {pack.name_count:,} further names</p>{_list(shown)}"
