unit Ledger;

{$mode objfpc}{$H+}

interface

uses
  Classes, SysUtils;

type
  TState = (stOpen, stClosed);

  { What is booked. }
  TEntry = record
    Account: string;
    Amount: Currency;
  end;

  IBook = interface
    procedure Post(const Entry: TEntry);
  end;

  TLedger = class(TInterfacedObject, IBook)
  private
    FEntries: TList;
    FState: TState;
  public
    constructor Create;
    destructor Destroy; override;
    procedure Post(const Entry: TEntry);
    function Balance(const Account: string): Currency;
  end;

function FormatAmount(Amount: Currency): string;

implementation

constructor TLedger.Create;
begin
  FEntries := TList.Create;
  FState := stOpen;
end;

destructor TLedger.Destroy;
begin
  FEntries.Free;
  inherited Destroy;
end;

// An entry can only be posted while the book is open.
procedure TLedger.Post(const Entry: TEntry);
begin
  if FState <> stOpen then
    raise Exception.Create('closed');
  FEntries.Add(@Entry);
end;

function TLedger.Balance(const Account: string): Currency;
begin
  Result := 0;
end;

function FormatAmount(Amount: Currency): string;
begin
  Result := FormatFloat('0.00', Amount);
end;

end.
