import type { A2aAgentCard, A2aSkill } from "@stemma/client/a2a";
import type { JsonObject } from "@stemma/core";
import { omitUndefined } from "@stemma/core/internal";
import { PROTOCOL_VERSION } from "./http/protocol-headers";

/** Options of `createAgentCard`: how an agent describes itself to A2A clients. */
export interface AgentCardOptions {
	readonly id: string;
	/** Default: the id. */
	readonly name?: string | undefined;
	/** Description of what the agent can do; other agents decide by it. Default: a sentence with its name only. */
	readonly description?: string | undefined;
	/** Version of the agent; changes with it. */
	readonly version: string;
	/** The address of its JSON-RPC interface; the paths of HTTP+JSON go on from there. */
	readonly url: string;
	/** Default: one, with the name and description of the agent. */
	readonly skills?: readonly A2aSkill[] | undefined;
	/** True where its store has push configurations. Default false. */
	readonly pushNotifications?: boolean | undefined;
	readonly extensions?: A2aAgentCard["capabilities"]["extensions"] | undefined;
	readonly provider?: A2aAgentCard["provider"] | undefined;
	readonly documentationUrl?: string | undefined;
	readonly iconUrl?: string | undefined;
	/** Security schemes in the form of ProtoJSON; see {@link BEARER_SECURITY}. Default: none is needed. */
	readonly securitySchemes?: JsonObject | undefined;
	readonly securityRequirements?: readonly JsonObject[] | undefined;
}

const MEDIA_TYPES = ["text/plain", "application/json"];

/** Creates the card of an agent: both bindings at one address, text and JSON in and out, streams. */
export function createAgentCard(options: AgentCardOptions): A2aAgentCard {
	const { id, name = id, version, url, pushNotifications = false, extensions } = options;
	const description = options.description || `The agent ${name}.`;
	const { provider, documentationUrl, iconUrl, securitySchemes, securityRequirements } = options;
	return omitUndefined({
		name,
		description,
		version,
		supportedInterfaces: ["JSONRPC", "HTTP+JSON"].map((protocolBinding) => ({
			url,
			protocolBinding,
			protocolVersion: PROTOCOL_VERSION,
		})),
		provider,
		documentationUrl,
		iconUrl,
		capabilities: omitUndefined({
			streaming: true,
			pushNotifications,
			extendedAgentCard: false,
			extensions,
		}),
		defaultInputModes: MEDIA_TYPES,
		defaultOutputModes: MEDIA_TYPES,
		skills: options.skills ?? [{ id, name, description, tags: ["agent"] }],
		securitySchemes,
		securityRequirements,
	});
}

/** Security fields of a card whose agent needs `Authorization: Bearer`. */
export const BEARER_SECURITY = {
	securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
	securityRequirements: [{ schemes: { bearer: { list: [] } } }],
} as const satisfies Pick<AgentCardOptions, "securitySchemes" | "securityRequirements">;
