// The sign of the program: three groups of points, two of them linked.

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false">
      <path class="markline" d="M7 16.5 11.5 6.5" />
      <circle class="mark1" cx="6.5" cy="17" r="4" />
      <circle class="mark2" cx="12" cy="5.5" r="3.5" />
      <circle class="mark3" cx="18" cy="16" r="3" />
    </svg>
  )
}
