// up_counter counts; see tb_up_counter
`define WIDTH 8
`define GUARD_SV
module up_counter #(
  parameter W = `WIDTH
) (
  input  logic clk,
  output logic [W-1:0] value
);
// Not indented.
always_ff @(posedge clk) value <= value + 1;
function automatic [W-1:0] next_value(input [W-1:0] from);
  next_value = from + 1;
endfunction
task reset_all;
  begin
`ifdef SIMULATION
    value = 0;
`endif
  end
endtask
endmodule

package types_pkg;
  typedef enum logic [1:0] {IDLE, BUSY} state_t;
  typedef struct packed {
    logic a;
    logic b;
  } pair_t;
  class Driver extends Base;
    extern virtual task run(int n);
    function new(string name);
    endfunction
    typedef class Later;
  endclass
  import "DPI-C" function int c_add(int a, int b);
endpackage
interface bus_if(input clk);
  modport master(output clk);
endinterface
virtual interface bus_if held;
