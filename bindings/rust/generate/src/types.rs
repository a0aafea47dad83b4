//! C types as Rust's.

/// A name with its Rust type.
#[derive(Clone)]
pub struct Variable {
    pub name: String,
    pub rust: String,
}

/// A function's arguments and result.
#[derive(Clone)]
pub struct Function {
    pub arguments: Vec<Variable>,
    /// Empty for none.
    pub result: String,
}

impl Function {
    pub fn arguments(&self) -> String {
        let each: Vec<String> =
            self.arguments.iter().map(|a| format!("{}: {}", a.name, a.rust)).collect();
        each.join(", ")
    }

    pub fn arrow(&self) -> String {
        if self.result.is_empty() {
            String::new()
        } else {
            format!(" -> {}", self.result)
        }
    }

    pub fn pointer(&self) -> String {
        format!("Option<unsafe extern \"C\" fn({}){}>", self.arguments(), self.arrow())
    }
}

/// Reads `type name`, `type (*name)(…)`, or a type alone, whose name is then `argument`.
pub fn variables(tokens: &[String]) -> Vec<Variable> {
    if let Some(open) = function_pointer(tokens) {
        let name = identifier(&tokens[open + 2]);
        let function = function(&tokens[..open], &tokens[open + 4..]);
        return vec![Variable { name, rust: function.pointer() }];
    }
    let names = tokens.iter().position(|token| token == ",").unwrap_or(tokens.len());
    let (base, mut name) = type_and_name(&tokens[..names]);
    let mut made = Vec::new();
    if name.is_empty() {
        name = "argument".to_string();
    }
    made.push(Variable { name: identifier(&name), rust: base.clone() });
    for other in tokens[names..].iter().filter(|token| *token != ",") {
        made.push(Variable { name: identifier(other), rust: base.clone() });
    }
    made
}

/// Where `(*name)` begins.
pub fn function_pointer(tokens: &[String]) -> Option<usize> {
    tokens.windows(2).position(|pair| pair[0] == "(" && pair[1] == "*")
}

/// A function of its result's tokens and `( … )`.
pub fn function(result: &[String], arguments: &[String]) -> Function {
    let inner = &arguments[1..arguments.len() - 1];
    let mut made = Vec::new();
    if inner != ["void"] {
        for argument in split(inner) {
            made.extend(variables(argument));
        }
    }
    let (result, _) = type_and_name(result);
    let result = if result == "c_void" { String::new() } else { result };
    Function { arguments: made, result }
}

fn split(tokens: &[String]) -> Vec<&[String]> {
    let mut made = Vec::new();
    let (mut depth, mut begin) = (0, 0);
    for (index, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            "," if depth == 0 => {
                made.push(&tokens[begin..index]);
                begin = index + 1;
            }
            _ => {}
        }
    }
    made.push(&tokens[begin..]);
    made
}

/// The Rust type, and what follows it, if anything does.
fn type_and_name(tokens: &[String]) -> (String, String) {
    let mut is_const = false;
    let mut base = String::new();
    let mut name = String::new();
    for token in tokens {
        match token.as_str() {
            "const" => is_const = true,
            "struct" => {}
            "*" => {
                base = format!("*{} {}", if is_const { "const" } else { "mut" }, base);
                is_const = false;
            }
            word if base.is_empty() => base = rust_name(word).to_string(),
            word => name = word.to_string(),
        }
    }
    (base, name)
}

fn rust_name(name: &str) -> &str {
    match name {
        "void" => "c_void",
        "char" => "c_char",
        "int" => "c_int",
        "unsigned" => "c_uint",
        "size_t" => "usize",
        "int8_t" => "i8",
        "int32_t" => "i32",
        "int64_t" => "i64",
        "uint32_t" => "u32",
        "uint64_t" => "u64",
        "float" => "f32",
        "double" => "f64",
        other => other,
    }
}

/// A name that is no word of Rust's.
fn identifier(name: &str) -> String {
    match name {
        "loop" | "type" | "move" | "in" | "ref" | "where" | "match" | "fn" | "use" | "yield" => {
            format!("r#{name}")
        }
        _ => name.to_string(),
    }
}
