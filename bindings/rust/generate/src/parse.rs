//! From statements to what the headers declare.
use crate::header::{inner, Statement, Text, TRAILING};
use crate::types::{function, function_pointer, variables, Function, Variable};

/// All that the headers declare, in their order.
#[derive(Default)]
pub struct Api {
    pub items: Vec<Item>,
}

pub struct Item {
    /// The header's name.
    pub header: String,
    pub comment: String,
    pub name: String,
    pub kind: Kind,
}

pub enum Kind {
    Constant(Constant),
    /// The constants' names, values and comments.
    Enum(Vec<(String, i64, String)>),
    Struct(Vec<(Variable, String)>),
    Opaque,
    Callback(Function),
    Function(Function),
    Inline,
}

pub enum Constant {
    Int(i64),
    Unsigned(u64),
    Size(String),
}

impl Api {
    /// Adds what a header declares.
    pub fn read(&mut self, header: &str, statements: &[Statement]) {
        for statement in statements {
            let (name, kind) = match &statement.text {
                Text::Define(name, value) => match constant(value) {
                    Some(value) => (name.clone(), Kind::Constant(value)),
                    None => continue,
                },
                Text::Inline(name) => (name.clone(), Kind::Inline),
                Text::Declaration(tokens) => declaration(tokens),
            };
            self.items.push(Item {
                header: header.to_string(),
                comment: statement.comment.clone(),
                name,
                kind,
            });
        }
    }
}

fn declaration(tokens: &[String]) -> (String, Kind) {
    let last = tokens.last().cloned().unwrap_or_default();
    let body = tokens.iter().position(|token| token == "{");
    let words: Vec<&str> = tokens.iter().map(String::as_str).collect();
    match (words.as_slice(), body) {
        (["typedef", "enum", ..], Some(open)) => {
            (last, Kind::Enum(constants(&tokens[open + 1..tokens.len() - 2])))
        }
        (["typedef", "struct", ..], Some(open)) => {
            (last, Kind::Struct(fields(&tokens[open + 1..tokens.len() - 2])))
        }
        (["typedef", "struct", _, _], None) | (["struct", _], None) => (last, Kind::Opaque),
        (["typedef", rest @ ..], None) if !rest.is_empty() => {
            let open = function_pointer(tokens)
                .unwrap_or_else(|| panic!("a typedef that is not understood: {words:?}"));
            let callback = function(&tokens[1..open], &tokens[open + 4..]);
            (tokens[open + 2].clone(), Kind::Callback(callback))
        }
        (["BELAY_EXPORT", ..], None) => {
            let open = tokens
                .iter()
                .position(|token| token == "(")
                .unwrap_or_else(|| panic!("an export that is no function: {words:?}"));
            let exported = function(&tokens[1..open - 1], &tokens[open..]);
            (tokens[open - 1].clone(), Kind::Function(exported))
        }
        _ => panic!("a declaration that is not understood: {words:?}"),
    }
}

fn constants(tokens: &[String]) -> Vec<(String, i64, String)> {
    let mut made: Vec<(String, i64, String)> = Vec::new();
    let mut next = 0;
    let mut rest = tokens.iter().peekable();
    while let Some(token) = rest.next() {
        if token.starts_with("/*") {
            if let Some(last) = made.last_mut() {
                last.2 = inner(token);
            }
        } else if token != "," {
            if rest.next_if(|token| *token == "=").is_some() {
                next = rest.next().and_then(|value| value.parse().ok()).expect("an enum's value");
            }
            made.push((token.clone(), next, String::new()));
            next += 1;
        }
    }
    made
}

fn fields(tokens: &[String]) -> Vec<(Variable, String)> {
    let mut made: Vec<(Variable, String)> = Vec::new();
    let mut above = String::new();
    let mut current: Vec<String> = Vec::new();
    for token in tokens {
        if token.starts_with(TRAILING) {
            if let Some(last) = made.last_mut() {
                last.1 = inner(token);
            }
        } else if token.starts_with("/*") {
            above = inner(token);
        } else if token == ";" {
            let comment = std::mem::take(&mut above);
            made.extend(variables(&current).into_iter().map(|field| (field, comment.clone())));
            current.clear();
        } else {
            current.push(token.clone());
        }
    }
    made
}

fn constant(value: &str) -> Option<Constant> {
    let value = value.split("/*").next().unwrap_or("").trim();
    let bare = value.trim_start_matches('(').trim_end_matches(')');
    if value == "((size_t)-1)" {
        return Some(Constant::Size("usize::MAX".to_string()));
    }
    if let Some(number) = bare.strip_suffix('u') {
        return number.parse().ok().map(Constant::Unsigned);
    }
    if let Some(name) = bare.strip_prefix("-E") {
        return errno(name).map(|number| Constant::Int(-number));
    }
    bare.parse().ok().map(Constant::Int)
}

/// Linux's numbers; `layout.c` asks the C compiler for them.
fn errno(name: &str) -> Option<i64> {
    Some(match name {
        "PERM" => 1,
        "NOENT" => 2,
        "AGAIN" => 11,
        "NOMEM" => 12,
        "BUSY" => 16,
        "INVAL" => 22,
        "ROFS" => 30,
        "RANGE" => 34,
        "DEADLK" => 35,
        "ILSEQ" => 84,
        "NOTSUP" => 95,
        "TIMEDOUT" => 110,
        "INPROGRESS" => 115,
        "CANCELED" => 125,
        _ => panic!("errno's {name} is missing from the list"),
    })
}
