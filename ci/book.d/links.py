"""Tells of links in a built book that lead nowhere: to a page that is not there, or to a heading that a page does not have.

links.py FOLDER
"""

import re
import sys
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Pages that mdBook puts together from all others.
WHOLE = {"print.html", "404.html", "toc.html"}


def main(folder):
    top = Path(folder).resolve()
    pages = {path: path.read_text(encoding="utf-8") for path in top.rglob("*.html") if path.name not in WHOLE}
    anchors = {path: set(re.findall(r'\bid="([^"]+)"', text)) for path, text in pages.items()}
    count, broken = 0, []
    for page, text in pages.items():
        for link in re.findall(r'<a\b[^>]*\bhref="([^"]+)"', text):
            link = urlsplit(unescape(link))
            if link.scheme:
                continue
            count += 1
            target = (page.parent / unquote(link.path)).resolve() if link.path else page
            is_there = target == page or target.exists() and top in target.parents
            if not is_there or link.fragment and unquote(link.fragment) not in anchors.get(target, ()):
                broken.append(f"{page.relative_to(top)}: {link.geturl()}")
    for line in sorted(set(broken)):
        print(line)
    print(f"{len(pages)} pages, {count} links, {len(set(broken))} broken")
    sys.exit(1 if broken or not count else 0)


main(*sys.argv[1:])
