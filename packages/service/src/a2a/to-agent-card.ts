import { APPROVALS_EXTENSION, BEARER_SECURITY, createAgentCard } from "@stemma/a2a-server";
import type { StoredAgent } from "@stemma/client";
import type { A2aAgentCard } from "@stemma/client/a2a";

/** Location of an agent and the features offered there. */
export interface AgentCardOptions {
	/** Origin of the service, as its caller sees it: `https://kb.example`. */
	readonly origin: string;
	/** Path of the agent: `/a2a/desk`. */
	readonly path: string;
	readonly pushNotifications: boolean;
}

/** Creates the agent card of a stored agent. */
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
			// A flow each: the protocol allows one in a scheme.
			person: {
				oauth2SecurityScheme: {
					description: "Apps that act as a person, who gives them access on a page of the service.",
					flows: {
						authorizationCode: {
							authorizationUrl: `${origin}/oauth/authorize`,
							tokenUrl: `${origin}/oauth/token`,
							refreshUrl: `${origin}/oauth/token`,
							scopes: {
								"agents:run": "Run the agent as the person, and see the tasks that the app has started.",
							},
							pkceRequired: true,
						},
					},
					oauth2MetadataUrl: `${origin}/.well-known/oauth-authorization-server`,
				},
			},
		},
		securityRequirements: [
			...BEARER_SECURITY.securityRequirements,
			{ schemes: { oauth2: { list: ["agents:run"] } } },
			{ schemes: { person: { list: ["agents:run"] } } },
		],
	});
