library ieee;
-- The sender.
entity uart_tx is
  port (clk : in std_logic);
end entity;

architecture rtl of uart_tx is
  type state_t is (idle, busy);
  subtype small is integer range 0 to 7;
  function parity(v : std_logic_vector) return std_logic is
  begin
    return '0';
  end function;
begin
  send : process (clk)
  begin
  end process;
end architecture rtl;
package body util is
  impure function "+"(a : t) return t is
  begin
  end;
  procedure log_line(text : string) is
  begin
  end procedure;
end package body;
