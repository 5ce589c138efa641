"""The report as Markdown and as one HTML page that has its pictures in it."""

import html
import os
import re

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 72rem; margin: 2rem auto;
  padding: 0 1rem; }
table { border-collapse: collapse; font-size: 12.5px; display: block; overflow-x: auto;
  font-variant-numeric: tabular-nums; margin: 1rem 0; }
th, td { padding: 2px 9px; border-bottom: 1px solid #ddd; text-align: left; white-space: nowrap; }
th { border-bottom: 2px solid #888; }
figure { margin: 1.5rem 0; } figure svg { max-width: 100%; height: auto; }
figcaption { color: #555; font-size: 13px; } code { background: #f2f2f2; padding: 0 3px; }
"""


def _cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def markdown(title, parts, folder):
    """Parts are texts, (heading,), tables, and (path, caption) of pictures."""
    lines = [f"# {title}", ""]
    for part in parts:
        if isinstance(part, str):
            lines += [part, ""]
        elif hasattr(part, "rows"):
            lines += ["| " + " | ".join(part.head) + " |", "|" + "---|" * len(part.head)]
            lines += ["| " + " | ".join(map(_cell, row)) + " |" for row in part.rows]
            lines.append("")
        elif len(part) == 1:
            lines += [f"## {part[0]}", ""]
        else:
            lines += [f"![{part[1]}]({os.path.relpath(part[0], folder)})", "", f"*{part[1]}*", ""]
    return "\n".join(lines).rstrip() + "\n"


def _prose(text):
    text = html.escape(text)
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
    text = re.sub(r"\[([^]]+)\]\(([^)]+\.md)\)", r'<a href="\2">\1</a>', text)
    return re.sub(r"`(.+?)`", r"<code>\1</code>", text)


def _block(text):
    if text.startswith("    "):
        return f"<pre>{html.escape(text)}</pre>"
    if text.startswith("- "):
        items = re.split(r"^- ", text, flags=re.M)[1:]
        return "<ul>" + "".join(f"<li>{_prose(i)}</li>" for i in items) + "</ul>"
    return f"<p>{_prose(text)}</p>"


def _inline(path, number):
    """The picture's own element; its ids become the picture's own as well."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = text[text.index("<svg"):]
    return re.sub(r'(id="|href="#|url\(#)', rf"\g<1>p{number}-", text)


def page(title, parts):
    body, pictures = [f"<h1>{html.escape(title)}</h1>"], 0
    for part in parts:
        if isinstance(part, str):
            body.append(_block(part))
        elif hasattr(part, "rows"):
            head = "".join(f"<th>{html.escape(x)}</th>" for x in part.head)
            rows = "".join("<tr>" + "".join(f"<td>{_prose(x)}</td>" for x in row) + "</tr>"
                           for row in part.rows)
            body.append(f"<table><tr>{head}</tr>{rows}</table>")
        elif len(part) == 1:
            body.append(f"<h2>{html.escape(part[0])}</h2>")
        else:
            pictures += 1
            body.append(f"<figure>{_inline(part[0], pictures)}"
                        f"<figcaption>{html.escape(part[1])}</figcaption></figure>")
    return (f"<!doctype html>\n<meta charset=\"utf-8\">\n<title>{html.escape(title)}</title>\n"
            f"<style>{STYLE}</style>\n" + "\n".join(body) + "\n")
