/** Definitions inside syntax errors: found by patterns, qualified by their scopes. */

import { expect, it } from "vitest";
import { createLanguages } from "../../server/languages/languages.ts";

const languages = createLanguages();

async function check(languageId: string, text: string, expected: readonly string[]): Promise<void> {
  const found = await languages.withSyntax(text, languageId, ({ definitions, health }) => [
    health.status,
    ...definitions.map(
      ({ symbol: { type, name, lines } }) => `${type} ${name} ${lines.start + 1}-${lines.end + 1}`,
    ),
  ]);
  expect(found).toEqual(["partial", ...expected]);
}

it("A class whose head is in an error is found and qualifies its members", () =>
  check(
    "kotlin",
    `${"// What a cache is.\n".repeat(100)}
/** Keeps values. */
class Cache(private val loader: Loader) {
    init {
        require(size > 0) {

    fun lookup(key: String): Value =
        values[key] ?: load(key)

    // Asks the loader.
    private fun load(key: String): Value {
        return loader.load(key).also { values[key] = it }
    }
}
`,
    ["class Cache 102-114", "method Cache.lookup 107-108", "method Cache.load 110-113"],
  ));

it("Text that the grammar parsed, such as strings, has no lost definitions", () =>
  check(
    "bash",
    `usage() {
  cat <<END
help() {
END
${"  run this and that\n".repeat(20)}}

a=(( b)
`,
    ["function usage 1-25"],
  ));

it("A subroutine of Perl is found inside an error, also where the grammar read calls, and not in documentation", () =>
  check(
    "perl",
    `package Sample;

sub send_ok {
  my ($self, $msg) = @_;
  return $self->test('ok', $msg) or die;
}

sub or {
  my ($self, $next) = @_;
  $self->$next unless $self->is_open;
  return $self;
}

sub close_now { shift->_build(CLOSE => @_) }

sub is_open {
  my ($self, $desc) = @_;
  Loop->one_tick while !$self->{finished};
  return $self->test('ok', 1, 'closed');
}

sub has_id {
  my ($self, $type, $desc) = @_;
  return $self->test('is', $self->last->{id}, $type, title($desc, 'exact match'));
}

sub has_no_id {
  my ($self, $type, $desc) = @_;
  return $self->test('isnt', $self->last->{id}, $type, title($desc, 'no match'));
}

sub has_text {
  my ($self, $type, $desc) = @_;
  return $self->test('isnt', $self->last->{text}, $type, title($desc, 'no match'));
}

=head1 EXAMPLE

  sub example { }

=cut

sub is_last { 1 }
`,
    [
      "class Sample 1-43",
      "function Sample::send_ok 3-6",
      "function Sample::close_now 14-14",
      "function Sample::is_open 16-20",
      "function Sample::has_id 22-25",
      "function Sample::has_no_id 27-30",
      "function Sample::has_text 32-35",
      "function Sample::is_last 43-43",
    ],
  ));
