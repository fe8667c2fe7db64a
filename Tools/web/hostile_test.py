"""What must be refused: requests that another site, a proxy or an attacker would make, byte for byte."""
import concurrent.futures
import re
import unittest

from explorer import Explorer
from pages import KEY as KEY_TEXT

FORM = "application/x-www-form-urlencoded"
# A byte more than the longest form, and an address that is too long.
FORM_LIMIT, TARGET_LIMIT = 64 << 10, 4096
KEY = KEY_TEXT.encode()


def request(target="/search.json?q=lion", method="GET", host=None, fields=(), body=b"", version="HTTP/1.1"):
    """The bytes of a request. `host` is None for the right one and () for no such field."""
    hosts = ["{host}"] if host is None else [host] if isinstance(host, str) else host
    head = [f"{method} {target} {version}", *(f"Host: {name}" for name in hosts), *fields]
    return ("\r\n".join(head) + "\r\n\r\n").encode("latin-1") + body


def post(fields=(), body=b"token={token}&taxon=9685&action=add", target="/favorites", origin="http://{host}",
         content=FORM, host=None, length=None):
    """The bytes of a form that would add the cat to the favourites. A length of () is not said."""
    head = [] if origin is None else [f"Origin: {origin}"]
    head += [] if content is None else [f"Content-Type: {content}"]
    if length != ():
        # The token is as long as what stands for it, in the end.
        size = len(body) + body.count(b"{token}") * (32 - len(b"{token}")) if length is None else length
        head.append(f"Content-Length: {size}")
    return request(target, "POST", host, [*head, *fields], body)


def hosts():
    """Wrong hosts: of other sites that point here, and spellings of this machine that no address bar shows."""
    yield "no host", request(host=())
    yield "two hosts", request(host=["{host}", "{host}"])
    yield "two hosts, the second is another", request(host=["{host}", "evil.example"])
    yield "two hosts, the first is another", request(host=["evil.example", "{host}"])
    for name in [
        "", " ", "evil.example", "evil.example:{port}", "127.0.0.1.evil.example:{port}", "localhost.evil.example:{port}",
        "evil.example#{host}", "evil.example/{host}", "{host}.evil.example", "{host}#evil.example", "{host}/",
        "{host}/evil", "{host}?evil", "http://{host}", "//{host}", "{host},evil.example", "{host}, {host}",
        "{host} evil.example", "{host}\tevil.example", "evil.example@{host}", "user@{host}", "user:word@{host}",
        "@{host}", "{host}@evil.example", "127.0.0.1", "localhost", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:1",
        "127.0.0.1:80", "127.0.0.1:443", "127.0.0.1:0{port}", "127.0.0.1:+{port}", "127.0.0.1:-{port}",
        "127.0.0.1: {port}", "127.0.0.1 :{port}", "127.0.0.1:{port}:{port}", "127.0.0.1:{port}.", "127.0.0.1:{port}0",
        "127.0.0.1.:{port}", "localhost.:{port}", "LOCALHOST:{port}", "Localhost:{port}", "localHost:{port}",
        "xlocalhost:{port}", "localhostx:{port}", "localhost.localdomain:{port}", "ip6-localhost:{port}",
        "[::1]:{port}", "::1:{port}", "[::]:{port}", "[::ffff:127.0.0.1]:{port}", "[::ffff:7f00:1]:{port}",
        "[0:0:0:0:0:0:0:1]:{port}", "[::1%lo]:{port}", "[127.0.0.1]:{port}", "2130706433:{port}", "0x7f000001:{port}",
        "017700000001:{port}", "0177.0.0.1:{port}", "0x7f.0.0.1:{port}", "127.1:{port}", "127.0.1:{port}",
        "127.00.00.01:{port}", "127.0.0.01:{port}", "127.0.0.2:{port}", "127.255.255.254:{port}", "0.0.0.0:{port}",
        "0:{port}", "128.0.0.1:{port}", "10.0.0.1:{port}", "192.168.0.1:{port}", "169.254.169.254",
        "1.0.0.127.in-addr.arpa:{port}", "127.0.0.1.nip.io:{port}", "7f000001.rebind.example:{port}", "stol:{port}",
        "local:{port}", "*:{port}", "*", "null", "%31%32%37.0.0.1:{port}", "127.0.0.1%3a{port}", "127%2e0%2e0%2e1:{port}",
        "\xb9\xb227.0.0.1:{port}", "\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1:{port}", "loc\xc3\xa0lhost:{port}",
        "\xe2\x93\x9bocalhost:{port}", "127\xe3\x80\x820\xe3\x80\x820\xe3\x80\x821:{port}", "\"{host}\"", "'{host}'",
        "<{host}>", "{host};", "{host}\\", "{host}\\@evil.example", "evil.example\\{host}", "a" * 300 + ":{port}",
    ]:
        yield f"host {name[:40]!r}", request(host=name)
    yield "host with a NUL", request(host="{host}\0")
    yield "host on a folded line", request(host=(), fields=["Host:", " {host}"])
    yield "host with a blank before the colon", request(host=(), fields=["Host : {host}"])
    yield "host under another name", request(host=(), fields=["X-Forwarded-Host: {host}", "Forwarded: host={host}"])
    yield "wrong host, right forwarded one", request(host="evil.example", fields=["X-Forwarded-Host: {host}"])
    yield "no host, in HTTP/1.0", request(host=(), version="HTTP/1.0")
    for target in ["http://{host}/", "http://evil.example/", "https://{host}/", "http://localhost:{port}/"]:
        yield f"whole address {target}, wrong host", request(target, host="evil.example")
        yield f"whole address {target}, no host", request(target, host=())
    yield "wrong host, in HTTP/1.0", request(host="evil.example", version="HTTP/1.0")
    yield "wrong host, HEAD", request(host="evil.example", method="HEAD")
    yield "wrong host, a file", request("/assets/main.js", host="evil.example")
    yield "wrong host, health", request("/health", host="evil.example")
    yield "wrong host, a form", post(host="evil.example", origin="http://evil.example")
    yield "rebound host, a form", post(host="evil.example:{port}", origin="http://evil.example:{port}")


def targets():
    """Targets that are no path of this server."""
    for target in [
        "http://{host}/", "http://evil.example/", "https://{host}/", "HTTP://{host}/", "file:///etc/passwd", "*", "{host}",
        "search", "?q=lion", "#", "", "\\", "javascript:1", "//evil.example/", "//{host}/search", "///", "//", "/\\evil",
        "/..", "/../", "/../etc/passwd", "/../../../../etc/passwd", "/.", "/./search", "/search/..", "/search/../tree",
        "/%2e%2e", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "/%2e/search", "/search%2f", "/%2fsearch",
        "/%73earch", "/search%00", "/search%0d%0aSet-Cookie:a=b", "/search;a=b", "/search/", "/search//", "/tree//9689",
        "/SEARCH", "/Search", "/search.JSON", "/search.html", "/search.json/", "/search.json.svg", "/search.svg",
        "/search%3fq=lion", "/assets", "/assets/", "/assets/.", "/assets/..", "/assets/../search", "/assets/../../etc/passwd",
        "/assets/..%2f..%2f..%2fetc%2fpasswd", "/assets/%2e%2e/%2e%2e/etc/passwd", "/assets/%2fetc%2fpasswd",
        "/assets//etc/passwd", "/assets/main.js/", "/assets/main.js%00", "/assets/main.js%00.css", "/assets/MAIN.JS",
        "/assets/main.js.json", "/assets/nothing.js", "/assets\\main.js", "/.git/config", "/.well-known/x", "/favicon.ico",
        "/robots.txt", "/etc/passwd", "/proc/self/environ", "/index.html", "/index", "/.json", "/taxon", "/taxon/",
        "/taxon/.json", "/taxon/9223372036854775807", "/taxon/9223372036854775808", "/taxon/-9223372036854775808",
        "/taxon/-9223372036854775809", "/taxon/99999999999999999999999999", "/taxon/-1", "/taxon/-0", "/taxon/+9689",
        "/taxon/09689", "/taxon/0x25d9", "/taxon/9.689e3", "/taxon/9689.0", "/taxon/9689/", "/taxon/9689//", "/taxon/ 9689",
        "/taxon/%39689", "/taxon/9689%20", "/taxon/9689/nothing", "/taxon/9689/lineage/x", "/taxon/lion", "/taxon/9689,9690",
        "/taxon/9689.json.json", "/taxon/\xd9\xa9\xd9\xa6", "/taxon/\xef\xbc\x99", "/tree/lion", "/tree/9223372036854775808",
        "/tree/-1", "/tree/9689/x", "/icicle/-1", "/icicle/x", "/api/tree?at=x", "/api/tree?at=all,0,999999999",
        "/api/tree?at=all,-1,2", "/api/tree?at=all,1,0", "/api/tree?at=all,0,99999999999999999999", "/api/tree?to=all", "/api/tree?up=all",
        "/api/tree?at=" + "&at=".join(["all"] * 9), "/api/tree/", "/icicle?from=lion&to=nobody",
        "/pictures/", "/pictures/-1", "/pictures/x", "/pictures/ncbi:", "/pictures/ncbi:9689/x", "/pictures/ncbi:9689.csv",
        "/pictures/../media", "/pictures/%2e%2e/media", "/pictures/evil:9689", "/pictures.csv", "/taxon/ncbi:9689/image?number=1",
        "/taxon/ncbi:9689/image?number=-1", "/taxon/ncbi:9689/image?number=9223372036854775807", "/taxon/ncbi:9689/image.svg",
        "/taxon/ncbi:9689/image/../../../etc/passwd", "/taxon/-1/thumbnail", "/taxon/ncbi:9689/thumbnail/", "/taxon/ncbi:9689/thumbnail.webp",
        "/taxon/ncbi:9689/thumbnail/1", "/taxon/evil:9689/thumbnail", "/tree.csv.json", "/tree/ncbi:9689.csv.tsv", "/tree/-1.csv",
        "/tree/x.tsv", "/compare.csv", "/compare.tsv?taxon=ncbi:9689", "/taxon/ncbi:9689.csv", "/icicle.csv", "/settings.csv", "/search.CSV",
        "/search.csv?q=%", "/search.csv?rank=phratry", "/search.tsv?q=" + "a" * 1000, "/favorites.csv/", "/favorites.tsv?%ff=a", "/favorites/", "/favorites/export", "/favorites/export.txt/",
        "/settings/", "/settings/databases/../storage", "/settings/nothing", "/api/", "/openapi",
        "/journal/", "/journal/x", "/journal.svg", "/journal/new.json", "/journal/sighting", "/journal/sighting/", "/journal/sighting/x",
        "/journal/sighting/00000000-0000-7000-8000-000000000000", "/journal/sighting/00000000000070008000000000000000",
        "/journal/EVENT/00000000-0000-7000-8000-000000000000", "/journal/event/00000000-0000-7000-8000-00000000000G",
        "/journal/photo/../../etc/passwd", "/journal/photo/..%2f..%2fetc%2fpasswd", "/journal/photo/00000000-0000-7000-8000-000000000000",
        "/journal/export/", "/journal/export.csv", "/journal/export/x", "/journal/import/", "/journal/import.csv", "/journal/lock/", "/journal/lock/x",
        "/journal/statistics/", "/journal/statistics.svg", "/journal/Lock", "/journal/export.json?format=%",
        "/journal/photo/00000000-0000-7000-8000-000000000000/as-it-is", "/journal/photo/00000000-0000-7000-8000-000000000000/small",
        "/search?q=%", "/search?q=%z", "/search?q=%ff", "/search?q=%c0%af", "/search?q=%ed%a0%80", "/search?%ff=a",
        "/search?rank=phratry", "/search?within=no%20such%20clade", "/search?conservation=XX&q=a", "/tree?rank=phratry",
        "/search?" + "&".join("q" for _ in range(65)), "/search?q=" + "a" * TARGET_LIMIT, "/" + "a" * TARGET_LIMIT,
        "/search?q=" + "%20" * 1365 + "a", "/search?q=" + "a" * 100_000, "/search\0", "/search?q=\0", "/search?q=\x01",
        "/search?q=\x7f", "/search\t", "/sea rch",
    ]:
        yield f"target {target[:50]!r} of {len(target)}", request(target)


def methods():
    """Methods that are not answered, whatever their origin."""
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "MKCOL", "COPY", "MOVE", "LOCK",
                   "PURGE", "SEARCH", "REPORT", "LINK", "BREW", "get", "Get", "post", "GETX", "G", "", "\0", "GET\t/", "PRI"]:
        yield f"method {method!r}", request(method=method)
    for method in ["PUT", "DELETE", "PATCH"]:
        yield f"method {method} from a page of this server", request(
            "/favorites", method, fields=["Origin: http://{host}", f"Content-Type: {FORM}", "Content-Length: 46"],
            body=b"token={token}&taxon=9685")
    yield "OPTIONS *", request("*", "OPTIONS")
    yield "preflight", request("/favorites", "OPTIONS", fields=[
        "Origin: http://evil.example", "Access-Control-Request-Method: POST",
        "Access-Control-Request-Headers: stol-token"])
    yield "preflight of a private network", request("/favorites", "OPTIONS", fields=[
        "Origin: https://evil.example", "Access-Control-Request-Method: GET",
        "Access-Control-Request-Private-Network: true"])
    yield "CONNECT elsewhere", request("evil.example:443", "CONNECT")
    yield "CONNECT here", request("{host}", "CONNECT")


ORIGINS = [
    "null", "", "http://evil.example", "https://{host}", "http://127.0.0.1", "http://127.0.0.1:1", "http://localhost",
    "http://localhost:{port}", "http://{host}/", "http://{host}/favorites", "http://{host}.evil.example", "HTTP://{host}",
    "http://user@{host}", "http://evil.example@{host}", "//{host}", "{host}", "http://", "file://", "chrome-extension://a",
    "http://127.0.0.1.:{port}", "http://[::1]:{port}", "http://2130706433:{port}", "http://{host} http://evil.example",
    "http://{host}, http://evil.example", "http://{host}\t", "http://127.0.0.1:0{port}", "*", "http://*",
]


def origins():
    """Pages of other sites that ask, and that send forms with a token which they cannot know."""
    # Blanks around a value are no part of it.
    for origin in ORIGINS:
        if origin.strip() != "http://{host}":
            yield f"origin {origin!r}", request(fields=[f"Origin: {origin}"])
            yield f"origin {origin!r}, a form", post(origin=origin)
    yield "two origins", request(fields=["Origin: http://{host}", "Origin: http://evil.example"])
    yield "two origins, another first", request(fields=["Origin: http://evil.example", "Origin: http://{host}"])
    yield "two origins, a form", post(fields=["Origin: http://evil.example"])
    yield "the same origin twice, a form", post(fields=["Origin: http://{host}"])
    yield "no origin, a form", post(origin=None)
    yield "no origin, a referrer, a form", post(origin=None, fields=["Referer: http://{host}/favorites"])
    for site in ["cross-site", "same-site", "", "CROSS-SITE", "cross-site, same-origin", "same-origin, none", "nonsense"]:
        yield f"site {site!r}", request(fields=[f"Sec-Fetch-Site: {site}"])
        yield f"site {site!r}, a form", post(fields=[f"Sec-Fetch-Site: {site}"])
    yield "two sites", request(fields=["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"])
    yield "an image of another site", request(fields=["Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: image"])
    yield "a script of another site", request(
        "/complete.json?q=lion", fields=["Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: script"])
    yield "a frame of another site", request("/", fields=["Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: iframe"])


def forms():
    """Forms that no page of this start has made."""
    rest = b"&taxon=9685&action=add"
    for token in [b"", b"0", b"0" * 32, b"{token}0", b" {token}0", b"{token}%00", b"f" * 31, b"f" * 33, b"%c3%a9" * 16,
                  b"{token}{token}", b"0123456789ABCDEF" * 2]:
        yield f"token {token[:20]!r} of {len(token)}", post(body=b"token=" + token + rest)
    yield "no token", post(body=rest[1:])
    yield "token in the address only", post(target="/favorites?token={token}", body=rest[1:])
    yield "token in a header only", post(fields=["Stol-Token: {token}"], body=rest[1:])
    yield "token in a cookie only", post(fields=["Cookie: token={token}"], body=rest[1:])
    yield "a wrong token first", post(body=b"token=0&token={token}" + rest)
    for content in [None, "", "text/plain", "text/html", "application/json", "multipart/form-data; boundary=a",
                    "application/x-www-form-urlencodedx", "x/" + FORM, "application/octet-stream", FORM + ",text/plain",
                    FORM.upper() + "X"]:
        yield f"content {content!r}", post(content=content)
    yield "a longer form than there is", post(body=b"token={token}&taxon=9685&action=add&a=" + b"a" * FORM_LIMIT)
    yield "a form of 10 MB", post(length=10_000_000, body=b"token={token}&taxon=9685&action=add&a=" + b"a" * (1 << 20))
    yield "a form with 4097 fields", post(body=b"token={token}" + rest + b"&a" * 4094)
    yield "a form with a bad escape", post(body=b"token={token}" + rest + b"&a=%zz")
    yield "a form that is not UTF-8", post(body=b"token={token}" + rest + b"&a=%ff")
    yield "no action", post(body=b"token={token}&taxon=9685")
    yield "an unknown action", post(body=b"token={token}&taxon=9685&action=drop")
    yield "a taxon that is not there", post(body=b"token={token}&taxon=999999999999&action=add")
    yield "a taxon too large", post(body=b"token={token}&taxon=9223372036854775808&action=add")
    yield "no taxon", post(body=b"token={token}&action=add")
    for target in ["/", "/search", "/tree", "/taxon/ncbi:9685", "/compare", "/privacy", "/settings", "/api", "/openapi.json",
                   "/health", "/assets/main.js", "/favorites/export.txt", "/complete", "/nothing", "/icicle"]:
        yield f"a form to {target}", post(target=target)
    for target, body in [
        ("/settings/databases", b"token={token}&action=drop"), ("/settings/databases", b"token={token}"),
        ("/settings/storage", b"token={token}&action=remove-media"), ("/settings/media", b"token={token}"),
        ("/settings/media/delete", b"token={token}"), ("/settings/media/delete", b"token={token}&pack=../../etc"),
        ("/settings/media/delete", b"token={token}&pack=nobody"), ("/settings/media/import", b"token={token}"),
        ("/settings/media/import", b"token={token}&action=drop"), ("/settings/media/import", b"token={token}&path=/etc/passwd"),
        ("/settings/keys", b"token={token}"), ("/settings/keys", b"token={token}&text=stol-ed25519"),
        ("/settings/keys", b"token={token}&path=/etc/passwd"), ("/settings/keys/trust", b"token={token}"),
        ("/settings/keys/trust", b"token={token}&key=" + b"00" * 32 + b"&dataset=a&compared=yes"),
        ("/settings/keys/trust", b"token={token}&compared=yes&dataset=..&others=A&key=" + KEY),
        ("/settings/keys/trust", b"token={token}&dataset=a&key=" + KEY[:-2]),
        ("/settings/keys/forget", b"token={token}&action=remove&key=0000000000000000"),
        ("/settings/keys/forget", b"token={token}&action=drop&key=0000000000000000"),
        ("/settings/diagnostics", b"token={token}&action=drop"), ("/settings/databases/import", b"token={token}"),
        ("/settings/databases/import", b"token={token}&path="),
    ]:
        yield f"{body[14:]!r} to {target}", post(target=target, body=body)
    for target in ["/favorites/clear", "/settings/databases", "/settings/databases/delete", "/settings/databases/import",
                   "/settings/storage", "/settings/diagnostics", "/settings/media/import", "/settings/media/delete",
                   "/settings/keys", "/settings/keys/trust", "/settings/keys/forget", "/match"]:
        yield f"no token to {target}", post(target=target, body=b"action=on&path=/etc/passwd")
        yield f"no origin to {target}", post(target=target, origin=None)
    name = b"--b\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n"
    names = name % (b"text", b"Panthera leo")
    parts = "multipart/form-data; boundary=b"
    yield "names without a token", post(target="/match", content=parts, body=names + b"--b--")
    yield "names with a wrong token", post(target="/match", content=parts, body=name % (b"token", b"0" * 32) + names + b"--b--")
    yield "names in a form that does not end", post(target="/match", content=parts, body=name % (b"token", b"{token}") + names)
    yield "names as text on the page", post(target="/match", content="text/plain", body=b"Panthera leo")
    yield "names in parts elsewhere", post(content=parts, body=name % (b"token", b"{token}") + names + b"--b--")
    for content in [None, "", "text/html", "application/octet-stream", "text/plainx", "multipart/form-data", "application/json-seq"]:
        yield f"names as {content!r}", post(target="/api/match", content=content, body=b"Panthera leo")
    yield "names without an origin", post(target="/api/match", content="text/plain", origin=None, body=b"Panthera leo")
    yield "names of another site", post(target="/api/match", content="text/plain", origin="http://evil.example", body=b"Panthera leo")
    yield "names from another site", post(
        target="/api/match", content="text/plain", fields=["Sec-Fetch-Site: cross-site"], body=b"Panthera leo")
    yield "more names than allowed", post(target="/api/match", content="text/plain", body=b"a\n" * 5001)
    yield "a longer list than allowed", post(target="/api/match", content="text/plain", body=b"a" * ((1 << 20) + 1))
    yield "a longer form of names than allowed", post(target="/api/match", body=b"name=" + b"a" * FORM_LIMIT)
    yield "a table of 10 MB", post(target="/match", content=parts, length=10_000_000, body=name % (b"token", b"{token}") + b"a" * (1 << 20))
    yield "JSON that is none", post(target="/api/match", content="application/json", body=b"[\"Panthera leo\"")
    yield "JSON that is deep", post(target="/api/match", content="application/json", body=b"[" * 100_000)
    note = name % (b"taxon", b"oak") + name % (b"when", b"2025") + name % (b"id", b"00000000-0000-7000-8000-000000000001")
    yield "a note without a token", post(target="/journal/new", content=parts, body=note + b"--b--")
    yield "a note with a wrong token", post(target="/journal/new", content=parts, body=name % (b"token", b"0" * 32) + note + b"--b--")
    yield "a note that does not end", post(target="/journal/new", content=parts, body=name % (b"token", b"{token}") + note)
    yield "a note without an origin", post(target="/journal/new", content=parts, origin=None, body=name % (b"token", b"{token}") + note + b"--b--")
    yield "a note of another site", post(target="/journal/new", content=parts, origin="http://evil.example",
                                         body=name % (b"token", b"{token}") + note + b"--b--")
    yield "a note as JSON", post(target="/journal/new", content="application/json", body=b"{}")
    yield "a note with a photo of 65 MB", post(target="/journal/new", content=parts, length=65 << 20,
                                               body=name % (b"token", b"{token}") + note + b"a" * (1 << 20))
    photo = b"--b\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\n\r\n%s\r\n"
    yield "a photo that is none", post(target="/journal/new", content=parts,
                                       body=name % (b"token", b"{token}") + note + photo % b"\xff\xd8no photo" + b"--b--")
    yield "a note with 65 fields", post(target="/journal/new", content=parts, body=(name % (b"token", b"{token}")) * 65 + b"--b--")
    for fields in [b"", b"&action=drop", b"&action=undo", b"&action=undo&batch=x", b"&action=undo&batch=1", b"&action=delete&id=x",
                   b"&action=identify&id=00000000-0000-7000-8000-000000000001&taxon=ncbi:9689"]:
        yield f"{fields!r} to the journal", post(target="/journal", body=b"token={token}" + fields)
    for target in ["/journal", "/journal/new"]:
        yield f"no token to {target}", post(target=target, body=b"action=undo&batch=1")
        yield f"no origin to {target}", post(target=target, origin=None, body=b"token={token}&action=undo&batch=1")
    for target in ["/journal/life", "/journal/map", "/journal/calendar", "/journal/photos"]:
        yield f"a form to {target}", post(target=target)
    for target in ["/journal/export", "/journal/import", "/journal/lock"]:
        yield f"no token to {target}", post(target=target, body=b"action=lock&passphrase=a&again=a&format=json&for=myself&shown=x")
        yield f"a wrong token to {target}", post(target=target, body=b"token=" + b"0" * 32 + b"&action=lock&passphrase=a&again=a&format=json")
        yield f"no origin to {target}", post(target=target, origin=None, body=b"token={token}&action=lock&passphrase=a&again=a&format=json")
        yield f"another origin to {target}", post(target=target, origin="http://evil.example", body=b"token={token}&action=lock&format=json")
        yield f"another site to {target}", post(target=target, fields=["Sec-Fetch-Site: cross-site"], body=b"token={token}&action=lock&format=json")
        yield f"a table to {target}", post(target=target, content="text/csv", body=b"a,b\n1,2\n")
        yield f"JSON to {target}", post(target=target, content="application/json", body=b"{}")
        yield f"nothing to {target}", post(target=target, body=b"token={token}")
        yield f"an unknown action to {target}", post(target=target, body=b"token={token}&action=drop-all")
    yield "a form to /journal/statistics", post(target="/journal/statistics")
    for fields in [b"&format=json&for=myself&shown=", b"&format=pdf", b"&format=archive&for=others"]:
        yield f"{fields!r} to the export", post(target="/journal/export", body=b"token={token}" + fields)
    for fields in [b"&action=lock", b"&action=lock&passphrase=a&again=b", b"&action=lock&passphrase=a&again=a", b"&action=unlock&passphrase=a",
                   b"&action=recover&code=0", b"&action=confirm&code=0", b"&action=change&old=a&passphrase=b&again=b", b"&action=code&passphrase=a"]:
        yield f"{fields!r} to the lock", post(target="/journal/lock", body=b"token={token}" + fields)
    for fields in [b"&action=send", b"&action=look&upload=x&map=y", b"&action=import&upload=x", b"&action=import"]:
        yield f"{fields!r} to the import", post(target="/journal/import", body=b"token={token}" + fields)
    sent = b"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\nname,date\r\nPanthera leo,2025\r\n"
    send = name % (b"action", b"send")
    yield "a file without a token", post(target="/journal/import", content=parts, body=send + sent + b"--b--")
    yield "a file with a wrong token", post(target="/journal/import", content=parts, body=name % (b"token", b"0" * 32) + send + sent + b"--b--")
    yield "a file that does not end", post(target="/journal/import", content=parts, body=name % (b"token", b"{token}") + send + sent)
    yield "a file without an origin", post(target="/journal/import", content=parts, origin=None, body=name % (b"token", b"{token}") + send + sent + b"--b--")
    yield "a file of another site", post(target="/journal/import", content=parts, origin="http://evil.example",
                                         body=name % (b"token", b"{token}") + send + sent + b"--b--")
    yield "a file of 65 MB", post(target="/journal/import", content=parts, length=65 << 20,
                                  body=name % (b"token", b"{token}") + send + sent + b"a" * (1 << 20))
    yield "a file that is empty", post(target="/journal/import", content=parts,
                                       body=name % (b"token", b"{token}") + send + sent.replace(b"name,date\r\nPanthera leo,2025", b"") + b"--b--")
    yield "a file in parts to the export", post(target="/journal/export", content=parts, body=name % (b"token", b"{token}") + sent + b"--b--")
    for target in ["/settings/databases/import", "/settings/media/import"]:
        upload = {"target": target, "content": "application/octet-stream", "body": b"stol"}
        yield f"an upload to {target} without a token", post(**upload)
        yield f"an upload to {target} with a wrong token", post(fields=["Stol-Token: " + "0" * 32], **upload)
        yield f"an upload to {target} without an origin", post(fields=["Stol-Token: {token}"], **{**upload, "origin": None})
        yield f"an upload to {target} from another origin", post(fields=["Stol-Token: {token}"], **{**upload, "origin": "null"})
        part = b"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.stol\"\r\n\r\nSTOL\0DB\x02\r\n--b--"
        yield f"a file to {target} without a token", post(target=target, content=parts, body=part)
        yield f"a file to {target} before its token", post(
            target=target, content=parts, body=part[:-5] + name % (b"token", b"{token}") + b"--b--")
        yield f"a form to {target} that does not end", post(target=target, content=parts, body=name % (b"token", b"{token}"))
        yield f"a form to {target} that is none", post(target=target, content=parts, body=b"token={token}")


def syntax():
    """What is no HTTP, or reads in two ways."""
    form, chunked = b"token={token}&taxon=9685&action=add", "Transfer-Encoding: chunked"
    chunk = b"3c\r\n" + form + b"\r\n0\r\n\r\n"  # The token makes 0x3c letters of it.
    smuggled = b"0\r\n\r\nGET /taxon/ncbi:9685 HTTP/1.1\r\nHost: {host}\r\n\r\n"
    yield "GET with a body", request(fields=["Content-Length: 5"], body=b"hello")
    yield "GET with chunks", request(fields=[chunked], body=b"5\r\nhello\r\n0\r\n\r\n")
    yield "HEAD with a body", request(method="HEAD", fields=["Content-Length: 5"], body=b"hello")
    yield "length and chunks", post(fields=[chunked], body=smuggled)
    yield "chunks and length", post(fields=["Content-Length: 4", chunked], body=smuggled, length=())
    yield "two lengths", post(fields=["Content-Length: 3"], body=form)
    yield "two lengths in one", post(length="35, 3", body=form)
    for length in ["-1", "+60", "0x3c", "6 0", "60;", "99999999999999999999999", "", "a", "1e2", "\xb2"]:
        yield f"length {length!r}", post(length=length, body=form)
    for coding in ["xchunked", "chunked, identity", "chunked, chunked", "gzip",
                   "chun ked", "\"chunked\"", "chunked;a", "identity"]:
        yield f"coding {coding!r}", post(fields=[f"Transfer-Encoding: {coding}"], body=chunk, length=())
    yield "two codings", post(fields=[chunked, "Transfer-Encoding: identity"], body=chunk, length=())
    for size in [b"-3c", b"+3c", b"0x3c", b"3c ;", b"g", b"", b"ffffffffffffffffff", b"3c\0", b"3 c"]:
        yield f"chunk of {size!r}", post(fields=[chunked], body=chunk.replace(b"3c", size, 1), length=())
    yield "a chunk without an end", post(fields=[chunked], body=b"3\r\nabcdef\r\n0\r\n\r\n", length=())
    yield "100 fields", request(fields=[f"A{i}: b" for i in range(100)])
    yield "1,000 fields of one name", request(fields=["A: b"] * 1000)
    yield "a long field", request(fields=["A: " + "b" * 9000])
    yield "a very long field", request(fields=["A: " + "b" * 1_000_000])
    yield "a long name of a field", request(fields=["A" * 9000 + ": b"])
    yield "long fields", request(fields=[f"A{i}: " + "b" * 4000 for i in range(5)])
    yield "a long cookie", request(fields=["Cookie: " + "a=b; " * 4000])
    for field in ["A", ": b", "A b: c", "A\0: b", "A: b\0", "A: b\x01", "A\x7f: b", "A(b): c", "\xe9: b", "A:b\rC: d", "=", "@: b"]:
        yield f"field {field!r}", request(fields=[field])
    yield "a folded line", request(fields=["A: b", " c"])
    for version in ["HTTP/0.9", "HTTP/1.2", "HTTP/1.10", "HTTP/2.0", "HTTP/3.0", "HTTP/9.9", "HTTP/11", "HTTP/1", "HTTP/",
                    "http/1.1", "HTTPS/1.1", "HTTP/-1.1", "HTTP/1.1.1", "HTTP/1.1 x", "ICY/1.0", ""]:
        yield f"version {version!r}", request(version=version)
    yield "HTTP/0.9", b"GET /\r\n\r\n"
    yield "HTTP/0.9 without a path", b"GET\r\n\r\n"
    yield "the preface of HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
    yield "an upgrade to HTTP/2, wrong host", request(
        host="evil.example", fields=["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"])
    yield "an upgrade to a socket, wrong origin", request(fields=[
        "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13", "Origin: http://evil.example"])
    yield "the beginning of TLS", bytes.fromhex("16030100c8010000c40303") + b"a" * 200
    yield "SSH", b"SSH-2.0-OpenSSH_9.2\r\n\r\n"
    yield "mail", b"EHLO evil.example\r\nMAIL FROM:<a@evil.example>\r\n\r\n"
    yield "Redis", b"*1\r\n$7\r\nCOMMAND\r\n\r\n"
    yield "a proxy's first line", b"PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n" + request()
    yield "NULs", b"\0" * 100 + b"\r\n\r\n"
    yield "letters", b"a" * 100_000 + b"\r\n\r\n"
    yield "high bytes", bytes(range(128, 256)) + b"\r\n\r\n"
    yield "an answer", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"


def cases():
    return [*hosts(), *targets(), *methods(), *origins(), *forms(), *syntax()]


class HostileTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.explorer = Explorer()
        cls.addClassCleanup(cls.explorer.close)
        cls.token = cls.explorer.token

    def setUp(self):
        self.explorer.post("/favorites/clear", {})
        self.assertEqual(self.favorites(), [])

    def filled(self, data):
        for name, value in [("host", self.explorer.host), ("port", str(self.explorer.port)), ("token", self.token)]:
            data = data.replace(b"{" + name.encode() + b"}", value.encode())
        return data

    def answer(self, data):
        """All that the server says until it closes, or has answered in full and then falls silent."""
        said = b""
        with self.explorer.connect(20) as connection:
            try:
                connection.sendall(self.filled(data))
                while part := connection.recv(1 << 16):
                    said += part
                    connection.settimeout(0.3)
            except TimeoutError:
                if not said:
                    return None
            except (ConnectionResetError, BrokenPipeError):
                pass  # Closed with bytes unread: refused.
        return said

    def favorites(self):
        return [item["id"] for item in self.explorer.json("/favorites.json")["favorites"]]

    def test_what_is_not_hostile_is_answered(self):
        """The same requests without what is wrong with them: or else anything would pass as a refusal."""
        self.assertRegex(self.answer(request()), rb"\AHTTP/1.1 200 OK\r\n(?s:.*)Panthera leo")
        self.assertRegex(self.answer(request(host="localhost:{port}")), rb"\AHTTP/1.1 200 ")
        same = ["Origin: http://{host}", "Sec-Fetch-Site: same-origin"]
        self.assertRegex(self.answer(request(fields=same)), rb"\AHTTP/1.1 200 ")
        self.assertRegex(self.answer(request(fields=["Sec-Fetch-Site: none"])), rb"\AHTTP/1.1 200 ")
        self.assertRegex(self.answer(post()), rb"\AHTTP/1.1 303 ")
        self.assertEqual(self.favorites(), [9685])
        self.assertRegex(self.answer(post(body=b"token={token}&taxon=9685&action=remove")), rb"\AHTTP/1.1 303 ")
        self.assertEqual(self.favorites(), [])
        chunk = b"3c\r\ntoken={token}&taxon=9685&action=add\r\n0\r\n\r\n"
        self.assertEqual(len(self.filled(chunk).split(b"\r\n")[1]), 0x3c)
        self.assertRegex(self.answer(post(fields=["Transfer-Encoding: chunked"], body=chunk, length=())), rb"\AHTTP/1.1 303 ")
        self.assertEqual(self.favorites(), [9685])

    def test_everything_hostile_is_refused(self):
        """Refused with a status 4xx and no word of any taxon, or closed; the favourites stay as they are."""
        self.answer(post(body=b"token={token}&taxon=9689&action=add"))
        self.assertEqual(self.favorites(), [9689])
        table = cases()
        self.assertGreaterEqual(len({data for _, data in table}), 400)
        self.assertEqual(len({name for name, _ in table}), len(table))
        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            answers = pool.map(self.answer, [data for _, data in table])
            for (name, data), said in zip(table, answers):
                with self.subTest(name):
                    self.assertIsNotNone(said, "neither answered nor closed")
                    # What comes after the first answer must be a refusal, too.
                    for status in re.findall(rb"HTTP/1\.[01] (\d+)", said):
                        self.assertRegex(status, rb"\A4\d\d\Z", said[:300])
                    self.assertNotRegex(said, rb"Panthera|Felis")
                    self.assertNotRegex(said.partition(b"\r\n\r\n")[0], rb"(?i)access-control-|set-cookie|location:")
        self.assertEqual(self.favorites(), [9689])
        for part in ["databases", "media"]:
            self.assertEqual(self.explorer.json(f"/settings/{part}/import.json")["state"], "none")
        self.assertEqual(self.explorer.json("/settings/keys.json")["keys"], [])
        self.assertFalse(self.explorer.json("/settings/diagnostics.json")["isEnabled"])
        # No journal was begun by any of it.
        self.assertTrue(self.explorer.json("/journal.json")["isEmpty"])
        self.assertIsNone(self.explorer.process.poll())

    def conversation(self, data):
        """What the server says to all of `data` at once, and whether it then closes."""
        said = b""
        with self.explorer.connect(20) as connection:
            connection.sendall(self.filled(data))
            connection.settimeout(2)
            try:
                while part := connection.recv(1 << 16):
                    said += part
                return said, True
            except TimeoutError:
                return said, False

    def test_pipelined_requests_are_answered_in_order(self):
        targets = ["/health.json", "/openapi.json", "/nothing", "/taxon/ncbi:9685.json", "/complete.json?q=lion"] * 5
        said, closed = self.conversation(b"".join(request(target=target) for target in targets))
        self.assertFalse(closed)
        rest, answers = said, []
        while rest:
            head, _, rest = rest.partition(b"\r\n\r\n")
            length = int(re.search(rb"(?i)\r\ncontent-length: (\d+)", head)[1])
            answers.append((int(head.split(b" ", 2)[1]), rest[:length]))
            rest = rest[length:]
        self.assertEqual([status for status, _ in answers], [200, 200, 404, 200, 200] * 5)
        self.assertTrue(all(b"openapi" in answers[place][1] for place in range(1, 25, 5)))
        self.assertTrue(all(b'"9685"' in answers[place][1] or b":9685" in answers[place][1] for place in range(3, 25, 5)))

    def test_many_pipelined_requests_are_answered(self):
        one = request(target="/health.json")
        for count in (40, 200):
            said, closed = self.conversation(one * count)
            self.assertFalse(closed)
            self.assertEqual(said.count(b'"status":"ok"'), count)
        # Of more than anybody sends at once the first are answered, and the connection ends in good order.
        said, closed = self.conversation(one * 4000)
        self.assertGreaterEqual(said.count(b'"status":"ok"'), 500)
        self.assertEqual(said.count(b'"status":"ok"'), len(re.findall(rb"HTTP/1\.1 200 OK\r\n", said)))

    def test_nothing_is_answered_after_a_connection_is_said_to_close(self):
        """RFC 9112 section 9.6: whoever sends the close option closes after that answer."""
        one = request(target="/health.json")
        for name, refused in [
                ("POST without an origin", post(origin=None)), ("GET with a body", request(fields=["Content-Length: 3"], body=b"abc")),
                ("two hosts", request(fields=["Host: {host}"])), ("another host", request(host="evil.example")),
                ("another method", request(method="PUT")), ("a wrong token", post(body=b"token=0&taxon=9685&action=add"))]:
            with self.subTest(name):
                said, closed = self.conversation(refused + one + one)
                self.assertTrue(closed)
                self.assertRegex(said, rb"\AHTTP/1\.1 4\d\d ")
                self.assertEqual(len(re.findall(rb"HTTP/1\.1 \d", said)), 1, said)
                self.assertRegex(said, rb"(?i)\r\nconnection: close\r\n")
        # A body that nobody reads does not keep the answer from its reader.
        said, closed = self.conversation(post(origin=None, body=b"a" * 3_000_000))
        self.assertTrue(closed)
        self.assertRegex(said, rb"\AHTTP/1\.1 403 ")

    def test_connections_end_when_the_client_expects_it(self):
        one = request(target="/health.json")
        for data in [request(target="/health.json", version="HTTP/1.0"),
                     request(target="/health.json", fields=["Connection: close"]),
                     request(target="/health.json", fields=["Connection: TE, Close"]),
                     request(target="/health.json", fields=["Connection: close"]) + one]:
            said, closed = self.conversation(data)
            self.assertTrue(closed, data)
            self.assertEqual(said.count(b'"status":"ok"'), 1, data)
        said, closed = self.conversation(one + one)
        self.assertFalse(closed)
        self.assertEqual(said.count(b'"status":"ok"'), 2)

    def test_asking_changes_nothing(self):
        """Fields in an address change nothing, whatever they say."""
        for target in [f"/favorites?token={self.token}&taxon=9685&action=add", "/favorites/clear?action=clear",
                       f"/settings/diagnostics?token={self.token}&action=on"]:
            for method in ["GET", "HEAD"]:
                self.assertEqual(self.explorer.get(target, method=method)[0], 200)
        self.assertEqual(self.favorites(), [])
        self.assertFalse(self.explorer.json("/settings/diagnostics.json")["isEnabled"])

    def test_a_token_ends_with_its_server(self):
        """A token of another start is none, so a page that was left open cannot be used later."""
        with Explorer() as other:
            self.assertNotEqual(other.token, self.token)
            status, _, _ = other.post("/favorites", {"token": self.token, "taxon": "9685", "action": "add"})
            self.assertEqual(status, 403)


if __name__ == "__main__":
    unittest.main()
