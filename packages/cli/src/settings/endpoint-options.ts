/** Options of a command line for an endpoint and its key. */
export interface EndpointOptions {
	/** The API format. */
	readonly provider?: string;
	readonly baseUrl?: string;
	readonly model?: string;
	/** Vendor of the catalogue; replaces `provider` and `baseUrl`. */
	readonly vendor?: string;
	/** The name of the variable that has the key. */
	readonly apiKeyEnv?: string;
	readonly apiKeyStdin: boolean;
	/** `false`: the key is removed. */
	readonly apiKey?: false;
}
