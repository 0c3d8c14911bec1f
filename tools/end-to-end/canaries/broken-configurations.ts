import { createSecret } from "./canaries";

/** A configuration that stops the start, for a secret is where it does not belong. */
export interface BrokenConfiguration {
	/** Where it is. */
	readonly kind: string;
	readonly secret: string;
	/** It is a name, and is named to whoever wrote it. */
	readonly isNamed?: boolean;
	/** The text of the file. */
	readonly file?: string;
	readonly env?: Readonly<Record<string, string>>;
}

const VENDOR = { provider: "openai-compatible", base_url: "https://models.example/v1", default_model: "m" };

const FILES: Readonly<Record<string, (secret: string) => unknown>> = {
	"credential that is no object": (credential) => ({ providers: { host: { ...VENDOR, credential } } }),
	"credential of a wrong field": (key) => ({ providers: { host: { ...VENDOR, credential: { key } } } }),
	"name of a variable": (env) => ({ providers: { host: { ...VENDOR, credential: { env } } } }),
	"name of a provider": (name) => ({ providers: { [name]: VENDOR } }),
	"provider that is not there": (chat) => ({ chat }),
	"user info of an address": (secret) => ({
		providers: {
			host: { ...VENDOR, base_url: `https://user:${encodeURIComponent(secret)}@models.example/v1` },
		},
	}),
	"encryption key that is none": (value) => ({ encryption: { keys: [{ id: "one", key: { value } }] } }),
	"id of an encryption key": (id) => ({ encryption: { keys: [{ id, key: { value: id } }] } }),
	"outbound address": (secret) => ({ outbound: { allow: [`https://user:${secret}@models.example`] } }),
	"level of the log": (level) => ({ log: { level } }),
	"half-formed AWS key": (secret) => ({
		providers: {
			host: {
				...VENDOR,
				provider: "bedrock",
				base_url: "https://bedrock-runtime.us-east-1.amazonaws.com",
				credential: { value: `:${secret}` },
			},
		},
	}),
};

const NAMES: ReadonlySet<string> = new Set([
	"name of a provider",
	"provider that is not there",
	"STEMMA_OUTBOUND_ALLOW",
]);

const VARIABLES = [
	"STEMMA_ENCRYPTION_KEY",
	"STEMMA_LOG_LEVEL",
	"STEMMA_LISTEN_PORT",
	"STEMMA_CHAT_BASE_URL",
	"STEMMA_OUTBOUND_ALLOW",
	"STEMMA_EMBEDDINGS_DIMENSIONS",
];

export const createBrokenConfigurations = (): readonly BrokenConfiguration[] => [
	...Object.entries(FILES).map(([kind, toContent]) => {
		const secret = createSecret();
		return { kind, secret, file: JSON.stringify(toContent(secret)), isNamed: NAMES.has(kind) };
	}),
	...["broken JSON", "broken JSON around a secret"].map((kind, index) => {
		const secret = createSecret();
		return {
			kind,
			secret,
			file: index === 0 ? `{"providers": {"host": {"credential": {"value": "${secret}", }` : secret,
		};
	}),
	...VARIABLES.map((name) => {
		const secret = createSecret();
		return { kind: name, secret, env: { [name]: secret }, isNamed: NAMES.has(name) };
	}),
];
