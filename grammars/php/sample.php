<?php

declare(strict_types=1);

namespace App\Mail;

use App\Contracts\Transport;
use DateTimeImmutable;

/** Something that can be sent. */
interface Sendable
{
    public function send(Transport $transport): bool;
}

enum Priority: int
{
    case Low = 1;
    case High = 2;

    public function label(): string
    {
        return ucfirst(strtolower($this->name));
    }
}

trait LogsSending
{
    protected function log(string $message): void
    {
        error_log($message);
    }
}

/**
 * A message with its receivers.
 */
#[Entity]
final class Message implements Sendable
{
    use LogsSending;

    public function __construct(
        private readonly string $subject,
        private array $receivers = [],
        private Priority $priority = Priority::Low,
    ) {
    }

    // Sends it once.
    #[Override]
    public function send(Transport $transport): bool
    {
        foreach ($this->receivers as $receiver) {
            if (!$transport->deliver($receiver, $this->subject)) {
                $this->log("not delivered to {$receiver}");
                return false;
            }
        }
        return true;
    }

    abstract protected static function now(): DateTimeImmutable;
}

function mail_to(string ...$receivers): Message
{
    return new Message('Hello', $receivers);
}
