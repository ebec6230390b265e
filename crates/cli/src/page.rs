//! Reports as pages: one file each, without anything from elsewhere.

use std::path::Path;

use anyhow::Result;

use crate::files;

const STYLE: &str = "\
body { font: 16px/1.45 Georgia, serif; color: #111; background: #fff; max-width: 60em; margin: 2em auto; padding: 0 1em }
h1, h2 { font-weight: normal } h2 { margin-top: 2em }
.table { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .85em; margin: 1em 0 }
th, td { padding: .2em .6em; text-align: right; white-space: nowrap; border-bottom: 1px solid #ddd }
th:first-child, td:first-child { text-align: left; white-space: normal }
tr { break-inside: avoid }
.warning { border-left: 4px solid #a63c00; padding-left: .8em }
svg { max-width: 100%; height: auto }
code { font-size: .9em }
@media print { body { margin: 0; max-width: none } }";

/// A page under construction.
pub(crate) struct Page {
    title: String,
    body: String,
}

impl Page {
    /// An empty page.
    pub(crate) fn new(title: &str) -> Page {
        let title = escape(title);
        let body = format!("<h1>{title}</h1>\n");
        Page { title, body }
    }

    /// A heading.
    pub(crate) fn heading(&mut self, text: &str) {
        self.body += &format!("<h2>{}</h2>\n", escape(text));
    }

    /// A paragraph.
    pub(crate) fn paragraph(&mut self, text: &str) {
        self.body += &format!("<p>{}</p>\n", escape(text));
    }

    /// A paragraph that should not be overlooked.
    pub(crate) fn warning(&mut self, text: &str) {
        self.body += &format!("<p class=\"warning\">{}</p>\n", escape(text));
    }

    /// A table.
    pub(crate) fn table(&mut self, head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
        let cells = |tag: &str, cells: &[String]| -> String {
            let cell = |text: &String| format!("<{tag}>{}</{tag}>", escape(text));
            cells.iter().map(cell).collect()
        };
        let head: Vec<String> = head.iter().map(|&text| text.to_owned()).collect();
        self.body += &format!(
            "<div class=\"table\"><table>\n<tr>{}</tr>\n",
            cells("th", &head)
        );
        for row in rows {
            self.body += &format!("<tr>{}</tr>\n", cells("td", &row));
        }
        self.body += "</table></div>\n";
    }

    /// A drawing.
    pub(crate) fn svg(&mut self, svg: &str) {
        self.body += svg;
        self.body += "\n";
    }

    /// Writes the page.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let Page { title, body } = self;
        let text = format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
             <style>\n{STYLE}\n</style>\n{body}</html>\n"
        );
        files::write(path, &text)
    }
}

fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
