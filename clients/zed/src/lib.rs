//! The Zed extension: finds the server on the PATH, or installs its npm package, and starts it.

use std::fs;
use zed_extension_api::{
    self as zed, settings::LspSettings, LanguageServerId, LanguageServerInstallationStatus, Result,
};

const PACKAGE: &str = "cocosearch-lsp";
const ENTRY: &str = "node_modules/cocosearch-lsp/dist/main.js";

struct Cocosearch;

impl Cocosearch {
    /// The script of the npm package; an installed one if the registry is unreachable.
    fn installed(&self, id: &LanguageServerId) -> Result<String> {
        let is_there = || fs::metadata(ENTRY).is_ok_and(|file| file.is_file());
        zed::set_language_server_installation_status(
            id,
            &LanguageServerInstallationStatus::CheckingForUpdate,
        );
        if let Err(problem) = update(id, is_there()) {
            if !is_there() {
                return Err(format!(
                    "{PACKAGE} is not on the PATH and was not installed: {problem}"
                ));
            }
        }
        let folder = std::env::current_dir().map_err(|problem| problem.to_string())?;
        Ok(folder.join(ENTRY).to_string_lossy().into_owned())
    }
}

fn update(id: &LanguageServerId, is_there: bool) -> Result<()> {
    let latest = zed::npm_package_latest_version(PACKAGE)?;
    let installed = zed::npm_package_installed_version(PACKAGE)?;
    if is_there && installed.as_deref() == Some(latest.as_str()) {
        return Ok(());
    }
    zed::set_language_server_installation_status(
        id,
        &LanguageServerInstallationStatus::Downloading,
    );
    zed::npm_install_package(PACKAGE, &latest)
}

impl zed::Extension for Cocosearch {
    fn new() -> Self {
        Self
    }

    /// The configured program, else the one on the PATH, else the npm package.
    fn language_server_command(
        &mut self,
        id: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<zed::Command> {
        let settings = LspSettings::for_worktree(id.as_ref(), worktree)?;
        let (path, arguments) = match settings.binary {
            Some(own) => (own.path, own.arguments),
            None => (None, None),
        };
        let args = arguments.unwrap_or_else(|| vec!["--stdio".to_string()]);
        if let Some(command) = path.or_else(|| worktree.which(PACKAGE)) {
            return Ok(zed::Command {
                command,
                args,
                env: worktree.shell_env(),
            });
        }
        let script = self.installed(id)?;
        Ok(zed::Command {
            command: zed::node_binary_path()?,
            args: [vec![script], args].concat(),
            env: worktree.shell_env(),
        })
    }

    fn language_server_workspace_configuration(
        &mut self,
        id: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<Option<zed::serde_json::Value>> {
        Ok(LspSettings::for_worktree(id.as_ref(), worktree)?.settings)
    }
}

zed::register_extension!(Cocosearch);
