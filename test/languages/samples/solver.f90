!> Heat on a line, step by step.
module heat
  implicit none
  private
  public :: state, advance, energy

  integer, parameter :: dp = kind(1.0d0)

  !> The temperature at each point.
  type :: state
    integer :: n
    real(dp), allocatable :: u(:)
  contains
    procedure :: reset
  end type state

contains

  subroutine reset(self, n)
    class(state), intent(inout) :: self
    integer, intent(in) :: n
    self%n = n
    allocate (self%u(n))
    self%u = 0.0_dp
  end subroutine reset

  !> One explicit step.
  subroutine advance(s, dt, dx)
    type(state), intent(inout) :: s
    real(dp), intent(in) :: dt, dx
    real(dp) :: next(s%n)
    integer :: i
    next = s%u
    do i = 2, s%n - 1
      next(i) = s%u(i) + dt/dx**2*(s%u(i - 1) - 2*s%u(i) + s%u(i + 1))
    end do
    s%u = next
  end subroutine advance

  pure function energy(s) result(e)
    type(state), intent(in) :: s
    real(dp) :: e
    e = sum(s%u**2)/s%n
  end function energy

end module heat

program main
  use heat
  implicit none
  type(state) :: s
  call s%reset(100)
  print *, energy(s)
end program main
