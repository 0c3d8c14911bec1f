/** Vendor whose variant of the format an endpoint uses. `other`: the common part, for llama.cpp, vLLM and gateways. */
export type CohereVendor = "cohere" | "jina" | "voyage" | "together" | "other";

/** Differences between vendors of the format. */
export interface VendorShape {
	readonly hosts: readonly string[];
	/** Put behind a base URL that has no path of its own. */
	readonly path: string;
	/** Field for the number of wanted scores. */
	readonly limitField: "top_n" | "top_k";
	/** Sent besides. */
	readonly fields: object;
}

const COMMON: VendorShape = { hosts: [], path: "", limitField: "top_n", fields: {} };

export const VENDORS: Readonly<Record<CohereVendor, VendorShape>> = {
	cohere: { ...COMMON, hosts: ["api.cohere.com", "api.cohere.ai"], path: "/v2" },
	// Sends all texts back unless told not to.
	jina: { ...COMMON, hosts: ["api.jina.ai"], path: "/v1", fields: { return_documents: false } },
	voyage: { ...COMMON, hosts: ["api.voyageai.com"], path: "/v1", limitField: "top_k" },
	together: { ...COMMON, hosts: ["api.together.xyz", "api.together.ai"], path: "/v1" },
	other: COMMON,
};

const NAMES = Object.keys(VENDORS) as readonly CohereVendor[];

export const isVendor = (name: unknown): name is CohereVendor => NAMES.some((known) => known === name);

/** The vendor at a host; `other` where nothing is known of it. */
export const toVendor = (host: string): CohereVendor =>
	NAMES.find((name) => VENDORS[name].hosts.includes(host)) ?? "other";
