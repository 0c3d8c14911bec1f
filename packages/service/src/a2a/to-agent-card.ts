import { APPROVALS_EXTENSION, BEARER_SECURITY, createAgentCard } from "@stemma/a2a-server";
import type { StoredAgent } from "@stemma/client";
import type { A2aAgentCard } from "@stemma/client/a2a";

/** Where an agent is found, and what is offered there. */
export interface AgentCardOptions {
	/** Of the service, as its caller sees it: `https://kb.example`. */
	readonly origin: string;
	/** Of the agent: `/a2a/desk`. */
	readonly path: string;
	readonly pushNotifications: boolean;
}

/** What a stored agent says of itself. */
export const toAgentCard = (
	{ slug, name, description, version }: StoredAgent,
	{ origin, path, pushNotifications }: AgentCardOptions,
): A2aAgentCard =>
	createAgentCard({
		id: slug,
		name: name ?? undefined,
		description: description ?? undefined,
		version: String(version),
		url: `${origin}${path}`,
		pushNotifications,
		extensions: [APPROVALS_EXTENSION],
		securitySchemes: {
			...BEARER_SECURITY.securitySchemes,
			oauth2: {
				oauth2SecurityScheme: {
					flows: {
						clientCredentials: {
							tokenUrl: `${origin}/oauth/token`,
							scopes: { "agents:run": "Run agents, and see the tasks of the workspace." },
						},
					},
				},
			},
		},
		securityRequirements: [
			...BEARER_SECURITY.securityRequirements,
			{ schemes: { oauth2: { list: ["agents:run"] } } },
		],
	});
