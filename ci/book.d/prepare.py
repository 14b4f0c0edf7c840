"""Copies a folder of Markdown for mdBook, with two kinds of links changed.

Those that leave the folder lead to where the repository can be read. Those to a README.md lead to index.md: mdBook gives the
page that name and leaves the links to it alone.

prepare.py FOLDER COPY URL
"""

import posixpath
import re
import shutil
import sys
from pathlib import Path

# Code is not told from prose: no page shows such a link as an example.
LINK = re.compile(r"\]\(([^)\s]+)\)")


def main(folder, copy, url):
    shutil.copytree(folder, copy)
    for page in Path(copy).rglob("*.md"):
        if page.name == "SUMMARY.md":
            continue
        place = posixpath.join(folder, page.relative_to(copy).parent.as_posix())

        def changed(found, place=place):
            target = found[1]
            if target.startswith("#") or re.match(r"[a-z]+:", target):
                return found[0]
            path = posixpath.normpath(posixpath.join(place, target))
            if path != folder and not path.startswith(folder + "/"):
                return f"]({url}/{path})"
            return "](" + re.sub(r"\bREADME\.md(?=#|$)", "index.md", target) + ")"

        text = page.read_text(encoding="utf-8")
        page.write_text(LINK.sub(changed, text), encoding="utf-8")


main(*sys.argv[1:])
