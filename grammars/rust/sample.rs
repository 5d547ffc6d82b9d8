//! A lexer for arithmetic.

use std::fmt;

/// One token with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Number,
    Plus,
    End,
}

pub type Result<T> = std::result::Result<T, LexError>;

#[derive(Debug)]
pub struct LexError(usize);

/// Anything that yields tokens.
pub trait Source {
    type Item;

    fn next_token(&mut self) -> Result<Self::Item>;

    fn skip(&mut self, count: usize) -> Result<()> {
        for _ in 0..count {
            self.next_token()?;
        }
        Ok(())
    }
}

pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }
}

impl<'a> Source for Lexer<'a> {
    type Item = Token<'a>;

    /// Reads one token.
    fn next_token(&mut self) -> Result<Token<'a>> {
        match self.text[self.at..].chars().next() {
            None => Ok(Token { kind: Kind::End, text: "" }),
            Some('+') => {
                self.at += 1;
                Ok(Token { kind: Kind::Plus, text: "+" })
            }
            Some(_) => Err(LexError(self.at)),
        }
    }
}

impl fmt::Display for LexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unexpected character at {}", self.0)
    }
}

macro_rules! token {
    ($kind:ident) => {
        Token { kind: Kind::$kind, text: "" }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_plus() {
        assert_eq!(Lexer::new("+").next_token().unwrap().kind, token!(Plus).kind);
    }
}
