enum AccountsFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        try InvitationController(services.accounts, services.views).register(&routes)
        try SignInController(services.signIn, services.signInAgain, services.invitations, services.views).register(
            &routes)
        try PasswordResetController(services.resets, services.passwords, services.views).register(&routes)
    }
}
