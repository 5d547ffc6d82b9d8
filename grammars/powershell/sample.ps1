# Reports disks that fill up.

param(
    [int]$Threshold = 80,
    [string[]]$ComputerName = @('localhost')
)

enum Severity {
    Info
    Warning
}

class DiskReport {
    [string]$Name
    [double]$UsedPercent

    DiskReport([string]$name, [double]$used) {
        $this.Name = $name
        $this.UsedPercent = $used
    }

    [Severity] Severity([int]$threshold) {
        if ($this.UsedPercent -ge $threshold) { return [Severity]::Warning }
        return [Severity]::Info
    }
}

<#
.SYNOPSIS
The disks of a computer with what is used of them.
#>
function Get-DiskReport {
    [CmdletBinding()]
    param([string]$Computer)

    $disks = Get-CimInstance -ClassName Win32_LogicalDisk -ComputerName $Computer
    foreach ($disk in $disks) {
        $used = 100 * ($disk.Size - $disk.FreeSpace) / $disk.Size
        [DiskReport]::new($disk.DeviceID, $used)
    }
}

# Only what is worth a mail.
filter Select-Full {
    if ($_.Severity($Threshold) -eq [Severity]::Warning) { $_ }
}

function Send-Report($Reports) {
    $body = $Reports | ForEach-Object { "$($_.Name): $($_.UsedPercent)" }
    Send-MailMessage -To 'ops@example.org' -Subject 'Disks' -Body ($body -join "`n")
}

$full = $ComputerName | ForEach-Object { Get-DiskReport $_ } | Select-Full
if ($full) { Send-Report $full }
