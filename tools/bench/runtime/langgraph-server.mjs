// LangGraph's API server in memory: `node langgraph-server.mjs <folder>`, where it keeps its files.
import { fileURLToPath } from "node:url";
import { startServer } from "@langchain/langgraph-api/server";
import { serveParent } from "./parent.mjs";

const { host } = await startServer({
	port: 0,
	host: "127.0.0.1",
	cwd: process.argv[2],
	// As `langgraphjs dev` has it.
	nWorkers: 10,
	graphs: { desk: `${fileURLToPath(new URL("langgraph-graph.mjs", import.meta.url))}:desk` },
});
serveParent(`http://${host}`);
