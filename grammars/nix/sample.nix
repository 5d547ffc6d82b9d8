# A service that keeps backups.
{ config, lib, pkgs, ... }:

let
  cfg = config.services.backup;

  # The command that makes one backup.
  mkBackup = name: paths: pkgs.writeShellScript "backup-${name}" ''
    tar czf /var/backup/${name}.tar.gz ${lib.concatStringsSep " " paths}
  '';

  toTimer = { name, interval ? "daily" }: {
    wantedBy = [ "timers.target" ];
    timerConfig.OnCalendar = interval;
  };
in
{
  options.services.backup = {
    enable = lib.mkEnableOption "backups";

    jobs = lib.mkOption {
      type = lib.types.attrsOf (lib.types.listOf lib.types.path);
      default = { };
      description = "What is kept, by name.";
    };
  };

  config = lib.mkIf cfg.enable {
    systemd.services = lib.mapAttrs
      (name: paths: {
        serviceConfig.ExecStart = mkBackup name paths;
      })
      cfg.jobs;

    systemd.timers = lib.mapAttrs (name: _: toTimer { inherit name; }) cfg.jobs;
  };
}
