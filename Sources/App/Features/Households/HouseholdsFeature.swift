enum HouseholdsFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        try HouseholdController(
            services.config, services.database, services.invitations, services.resets, services.views
        ).register(&routes)
        try HouseholdDeletionController(services.config, services.database, services.signIn, services.views).register(
            &routes)
        try OtherHouseholdController(services.database).register(&routes)
        try MemberAPI(services.config, services.database, services.invitations).register(&routes)
    }
}
