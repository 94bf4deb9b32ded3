import Mail

extension Config {
    /// Parses the settings of the mailbox from which receipts are fetched; nil if it is not set.
    static func mailbox(
        _ text: String?, password: String?
    ) throws(ConfigError) -> (mailbox: Mailbox?, password: String?) {
        guard let text else {
            guard password == nil else {
                throw ConfigError(description: "ALLESTEURER_MAILBOX_PASSWORD needs ALLESTEURER_MAILBOX")
            }
            return (nil, nil)
        }
        guard let mailbox = Mailbox(text) else {
            throw ConfigError(
                description:
                    "ALLESTEURER_MAILBOX must be imaps://user@host:port/folder, with %40 for the @ of the user's name")
        }
        guard let password, Mailbox.isQuotable(password) else {
            throw ConfigError(description: "ALLESTEURER_MAILBOX_PASSWORD is missing or has characters outside of ASCII")
        }
        return (mailbox, password)
    }

    /// Checks that the watched folder exists, if it is set.
    func checkWatchedFolder() throws(ConfigError) {
        guard let watchedFolder, !FileContent.isFolder(watchedFolder) else { return }
        throw ConfigError(description: "ALLESTEURER_WATCH_FOLDER: there is no folder \(watchedFolder)")
    }
}
