import App

await Program.run(server: SocketServer())
