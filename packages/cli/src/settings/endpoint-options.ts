/** What a command line says of an endpoint and its key. */
export interface EndpointOptions {
	/** The API format. */
	readonly provider?: string;
	readonly baseUrl?: string;
	readonly model?: string;
	/** Of the catalogue: stands for `provider` and `baseUrl`. */
	readonly vendor?: string;
	/** The name of the variable that has the key. */
	readonly apiKeyEnv?: string;
	readonly apiKeyStdin: boolean;
	/** `false`: the key is removed. */
	readonly apiKey?: false;
}
