//! A printable page per player.

use std::fmt::Write;

use errare_core::Metric;
use errare_service::analyse::{Totals, summary::PlayerSummary};

use super::{HEAD, counted, headline, incident, left_out, rows, training};
use crate::words::endgame_words;

const STYLE: &str = "\
body { font: 16px/1.45 Georgia, serif; color: #111; background: #fff; max-width: 50em; margin: 2em auto; padding: 0 1em }
h1, h2, h3 { font-weight: normal }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 1em 0 }
th, td { padding: .2em .8em .2em 0; text-align: right; border-bottom: 1px solid #ddd }
th:first-child, td:first-child { text-align: left }
li { break-inside: avoid }
.train { border-left: 4px solid #003c8c; padding-left: .8em }
@media print { body { margin: 0; max-width: none } section { break-before: page } }";

/// All players, each printed on a page of their own.
pub fn page(totals: &Totals, metric: Metric) -> String {
    let mut body = format!(
        "<h1>Endgames by player</h1>\n<p>{} read, {} of them with few enough men for tables ({metric}). Ceded are the \
         winner's moves lost against best play; lost are results thrown away: a win that became a draw or a loss, or a \
         draw that became a loss. c is the competence of the reference player who would most likely have played so, with \
         its 95 % interval; results thrown away count.</p>\n",
        counted(totals.games_read, "game", "games"),
        totals.games_analysed
    );
    for missing in &totals.missing {
        let _ = writeln!(body, "<p>{}</p>", sentence(&left_out(missing)));
    }
    for player in &totals.players {
        section(&mut body, player, metric);
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Endgames by player</title>\n\
         <style>\n{STYLE}\n</style>\n{body}</html>\n"
    )
}

fn section(body: &mut String, player: &PlayerSummary, metric: Metric) {
    let name = escape(&player.name);
    let _ = writeln!(body, "<section>\n<h2>{name}</h2>");
    let _ = writeln!(body, "<p>{}</p>", sentence(&headline(player)));
    if let Some(training) = training(player) {
        let _ = writeln!(body, "<p class=\"train\">{}</p>", sentence(&training));
    }
    let cells = |tag: &str, cells: &[String]| -> String {
        let cell = |text: &String| format!("<{tag}>{}</{tag}>", escape(text));
        cells.iter().map(cell).collect()
    };
    let head = HEAD.map(str::to_owned);
    let _ = writeln!(body, "<table>\n<tr>{}</tr>", cells("th", &head));
    for (mut row, each) in rows(player).zip(&player.endgames) {
        row[0] = format!("{} ({})", endgame_words(each.endgame), each.endgame);
        let _ = writeln!(body, "<tr>{}</tr>", cells("td", &row));
    }
    body.push_str("</table>\n");
    for (title, incidents) in [
        ("Results thrown away", &player.thrown),
        ("Depth lost", &player.slips),
    ] {
        if incidents.is_empty() {
            continue;
        }
        let _ = writeln!(body, "<h3>{title}</h3>\n<ul>");
        for each in incidents {
            let _ = writeln!(body, "<li>{}</li>", sentence(&incident(each, metric)));
        }
        body.push_str("</ul>\n");
    }
    body.push_str("</section>\n");
}

/// Formats a text as a sentence: capitalised, with a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    escape(&format!(
        "{}{}.",
        first.unwrap_or_default(),
        letters.as_str()
    ))
}

fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text() {
        assert_eq!(
            escape("<b>\"A\" & B</b>"),
            "&lt;b&gt;&quot;A&quot; &amp; B&lt;/b&gt;"
        );
        assert_eq!(sentence("train KPK"), "Train KPK.");
    }
}
