//! From a header's text to its statements.

/// A piece of a header: what it says, with the comment in front of it.
pub struct Statement {
    /// The comment right before it, without its marks.
    pub comment: String,
    pub text: Text,
}

pub enum Text {
    /// `#define NAME value`, without arguments.
    Define(String, String),
    /// A declaration, up to its semicolon, as tokens; comments inside an enum or a struct are
    /// tokens that begin with `/*`.
    Declaration(Vec<String>),
    /// The name of a `static inline` function.
    Inline(String),
}

/// The statements of a header that are meant for C.
pub fn statements(text: &str) -> Vec<Statement> {
    let tokens = tokens(&without_conditions(text));
    let mut made = Vec::new();
    let mut comment = String::new();
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        if token.starts_with("/*") {
            comment = token;
            continue;
        }
        if let Some(define) = token.strip_prefix("#define ") {
            // The first comment of a header is about all of it.
            let comment = std::mem::take(&mut comment);
            if let Some((name, value)) = define.split_once(' ') {
                if !name.contains('(') {
                    let text = Text::Define(name.to_string(), value.trim().to_string());
                    made.push(Statement { comment: inner(&comment), text });
                }
            }
            continue;
        }
        if token == "BELAY_BEGIN" || token == "BELAY_END" {
            comment.clear();
            continue;
        }
        let inline = token == "static";
        let mut declaration = vec![token];
        let mut depth = 0;
        for token in rest.by_ref() {
            match token.as_str() {
                "{" | "(" => depth += 1,
                "}" | ")" => depth -= 1,
                ";" if depth == 0 => break,
                _ => {}
            }
            let ends = inline && depth == 0 && token == "}";
            declaration.push(token);
            if ends {
                break;
            }
        }
        let text = if inline {
            let name = declaration.iter().position(|token| token == "(").unwrap_or(1) - 1;
            Text::Inline(declaration[name].clone())
        } else {
            Text::Declaration(declaration)
        };
        made.push(Statement { comment: inner(&std::mem::take(&mut comment)), text });
    }
    made
}

/// Begins a comment that stands behind something on its line.
pub const TRAILING: &str = "/*<";

/// What a comment says.
pub fn inner(comment: &str) -> String {
    let text = comment.trim_start_matches(TRAILING).trim_start_matches("/*");
    text.trim_end_matches("*/").trim().to_string()
}

/// Drops what is in conditions, but for the guard of the whole, and joins continued lines.
fn without_conditions(text: &str) -> String {
    let joined = text.replace("\\\n", " ");
    let mut kept = String::new();
    let mut depth = 0;
    for line in joined.lines() {
        let directive = line.trim_start();
        if directive.starts_with("#if") {
            let is_guard = directive.starts_with("#ifndef BELAY_") && directive.ends_with("_H");
            depth += i32::from(depth > 0 || !is_guard);
        } else if directive.starts_with("#endif") {
            depth -= i32::from(depth > 0);
        } else if depth == 0 && !directive.starts_with("#include") {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Words, marks, whole comments and whole definitions.
fn tokens(text: &str) -> Vec<String> {
    let mut made = Vec::new();
    let mut rest = text.trim_start();
    let mut is_behind = false;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first == '#' {
            rest.find('\n').map_or(rest.len(), |end| end.min(comment_in(rest)))
        } else if first.is_alphanumeric() || first == '_' {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let token = rest[..length].trim_end();
        if is_behind && token.starts_with("/*") {
            made.push(token.replacen("/*", TRAILING, 1));
        } else {
            made.push(token.to_string());
        }
        rest = &rest[length..];
        let next = rest.trim_start();
        is_behind = !rest[..rest.len() - next.len()].contains('\n');
        rest = next;
    }
    made
}

fn comment_in(line: &str) -> usize {
    line.find("/*").unwrap_or(line.len())
}
