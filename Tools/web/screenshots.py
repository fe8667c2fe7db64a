"""Writes pictures of all pages, at three widths, light and dark, into .build-web/screenshots."""
import shutil
import sys

from browser import Browser
from explorer import BUILD, Explorer
from pages import all_pages

FOLDER = BUILD / "screenshots"
SIZES = {360: 740, 768: 1024, 1440: 900}


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    count = 0
    with Explorer() as explorer:
        browser = Browser(explorer)
        try:
            for name, target in all_pages(explorer):
                browser.visit(target)
                for width, height in SIZES.items():
                    for dark in (False, True):
                        browser.look(width, height, dark)
                        path = FOLDER / f"{name}-{width}-{'dark' if dark else 'light'}.png"
                        browser.picture(path)
                        if not path.read_bytes().startswith(b"\x89PNG"):
                            raise SystemExit(f"{path} is no picture")
                        count += 1
        finally:
            browser.close()
    print(f"{count} pictures in {FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
