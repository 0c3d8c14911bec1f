"use client";
import { agents, createClient, runs, threads } from "@stemma/client";
import { StemmaChat } from "@stemma/react/chat";
import { useState } from "react";

function createChatService(options) {
	const client = createClient(options);
	return { agents: agents(client), runs: runs(client), threads: threads(client) };
}

/** Client component: a chat with the agent. */
export function Desk({ baseUrl, clientKey }) {
	const [service] = useState(() => createChatService({ baseUrl, clientKey }));
	return <StemmaChat service={service} agent="desk" context={{ customer: "Ada" }} />;
}
