import { createContext, type ReactNode, useContext, useMemo, useState } from "react";

interface Theme {
  readonly name: "light" | "dark";
  toggle(): void;
}

export const ThemeContext = createContext<Theme | undefined>(undefined);

/** Gives the theme to everything below. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const [name, setName] = useState<Theme["name"]>("light");
  const theme = useMemo(
    () => ({ name, toggle: () => setName(name === "light" ? "dark" : "light") }),
    [name],
  );
  return <ThemeContext.Provider value={theme}>{children}</ThemeContext.Provider>;
}

export const useTheme = (): Theme => {
  const theme = useContext(ThemeContext);
  if (theme === undefined) throw new Error("ThemeProvider is missing");
  return theme;
};

type ButtonProps<T> = {
  value: T;
  onPress: (value: T) => void;
};

export const Button = <T,>({ value, onPress }: ButtonProps<T>) => {
  const { name } = useTheme();
  const press = () => {
    onPress(value);
  };
  return (
    <button className={`button ${name}`} onClick={press}>
      {String(value)}
    </button>
  );
};
