import App

Program.prepare()
await Program.run(server: SocketServer())
