module shapes ! all of them
  implicit none
  interface area
    module procedure circle_area, square_area
  end interface area
  interface operator(+)
    procedure :: add_shapes
  end interface
  type, extends(base) :: circle
!! Stands at the margin.
    real :: r
  contains
    procedure, pass(self) :: grow => grow_circle
    generic :: operator(==) => same
  end type circle
contains
  ! Doubles it.
  pure real(kind=dp) function circle_area(c) result(a)
! In the first column.
    type(circle), intent(in) :: c
  end function circle_area
end module
submodule (shapes) more
contains
  module procedure grow_it
  end procedure
end submodule more
