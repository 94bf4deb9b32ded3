FuzzCommand.run()
