package org.example.bank

import scala.concurrent.{ExecutionContext, Future}
import scala.util.Try

/** Money in cents. */
type Cents = Long

/** What may go wrong with an account. */
sealed trait AccountError
object AccountError {
  case object NotEnough extends AccountError
  final case class Unknown(id: String) extends AccountError
}

trait AccountStore[F[_]] {
  def find(id: String): F[Option[Account]]
  def save(account: Account): F[Unit]
}

/** An account that can be charged. */
@deprecated("use Wallet", "2.0")
final case class Account(id: String, balance: Cents) {
  require(balance >= 0, "below zero")

  /** Takes money out. */
  def charge(amount: Cents): Either[AccountError, Account] =
    if (amount > balance) Left(AccountError.NotEnough)
    else Right(copy(balance = balance - amount))

  def +(amount: Cents): Account = copy(balance = balance + amount)

  lazy val isEmpty: Boolean = balance == 0
}

class TransferService(store: AccountStore[Future])(implicit ec: ExecutionContext) {
  private val limit: Cents = 100000

  def transfer(from: String, to: String, amount: Cents): Future[Unit] = {
    def lookup(id: String): Future[Account] =
      store.find(id).map(_.getOrElse(throw new NoSuchElementException(id)))

    for {
      source <- lookup(from)
      target <- lookup(to)
      charged = source.charge(amount)
      _ <- charged.fold(_ => Future.unit, store.save)
      _ <- store.save(target + amount)
    } yield ()
  }
}

object TransferService {
  def parse(text: String): Option[Cents] = Try(text.toLong).toOption
}

enum Currency(val code: String) {
  case Euro extends Currency("EUR")
  case Dollar extends Currency("USD")
}

given Ordering[Account] = Ordering.by(_.balance)

extension (cents: Cents)
  def asText: String = f"${cents / 100.0}%.2f"
