import type { Attack } from "../attacker/attack.ts";
import { ACCOUNT_ATTACKS } from "./accounts.ts";
import { createBodyAttacks } from "./bodies.ts";
import { createConnectionAttacks } from "./connections.ts";
import { DOCUMENT_ATTACKS } from "./documents.ts";
import { FORMAT_ATTACKS } from "./formats.ts";
import { MODEL_ATTACKS } from "./models.ts";
import { PROTOCOL_ATTACKS } from "./protocols.ts";
import { QUESTION_ATTACKS } from "./questions.ts";
import { RUN_ATTACKS } from "./runs.ts";
import { SCHEMA_ATTACKS } from "./schemas.ts";
import { THREAD_ATTACKS } from "./threads.ts";

/** All attacks on the service. */
export const SERVICE_ATTACKS: readonly Attack[] = [
	...SCHEMA_ATTACKS,
	...DOCUMENT_ATTACKS,
	...QUESTION_ATTACKS,
	...MODEL_ATTACKS,
	...RUN_ATTACKS,
	...PROTOCOL_ATTACKS,
	...THREAD_ATTACKS,
	...FORMAT_ATTACKS,
	...ACCOUNT_ATTACKS,
	...createBodyAttacks([
		"/v1/search",
		"/v1/ask",
		"/v1/agents",
		"/v1/knowledge-bases",
		"/v1/clients",
		"/v1/chat/completions",
		"/v1/responses",
		"/v1/messages",
		"/v1/threads",
		"/mcp",
	]),
	...createConnectionAttacks({
		post: "/v1/ask",
		get: "/v1/agents?limit=100",
		stream: {
			path: "/v1/chat/completions",
			body: { model: "endless", stream: true, messages: [{ role: "user", content: "x" }] },
		},
	}),
];
