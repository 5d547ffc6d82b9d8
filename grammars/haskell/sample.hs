{-# LANGUAGE LambdaCase #-}

-- | A small parser for arithmetic.
module Calculator
  ( Expr (..)
  , evaluate
  , parseExpr
  ) where

import Data.Char (isDigit, isSpace)
import qualified Data.Map as Map

-- | What can be calculated.
data Expr
  = Number Integer
  | Add Expr Expr
  | Multiply Expr Expr
  | Variable String
  deriving (Eq, Show)

newtype Parser a = Parser { runParser :: String -> Maybe (a, String) }

type Environment = Map.Map String Integer

-- | Things that can be shown to a person.
class Pretty a where
  pretty :: a -> String
  prettyList :: [a] -> String
  prettyList = concatMap pretty

instance Functor Parser where
  fmap f (Parser p) = Parser $ \input -> case p input of
    Nothing -> Nothing
    Just (value, rest) -> Just (f value, rest)

instance Pretty Expr where
  pretty (Number n) = show n
  pretty (Add a b) = pretty a ++ " + " ++ pretty b
  pretty (Multiply a b) = pretty a ++ " * " ++ pretty b
  pretty (Variable name) = name

-- | The value of an expression, when every variable is known.
evaluate :: Environment -> Expr -> Maybe Integer
evaluate _ (Number n) = Just n
evaluate env (Add a b) = (+) <$> evaluate env a <*> evaluate env b
evaluate env (Multiply a b) = (*) <$> evaluate env a <*> evaluate env b
evaluate env (Variable name) = Map.lookup name env

parseExpr :: String -> Maybe Expr
parseExpr input = case runParser number (dropWhile isSpace input) of
  Just (n, "") -> Just n
  _ -> Nothing
  where
    number = Parser $ \case
      digits@(c : _) | isDigit c ->
        let (n, rest) = span isDigit digits in Just (Number (read n), rest)
      _ -> Nothing

infixl 6 |+|

(|+|) :: Expr -> Expr -> Expr
a |+| b = Add a b

zero :: Expr
zero = Number 0
