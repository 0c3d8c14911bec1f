import { asObject, asText } from "../http/lenient-json";
import type { AiSdkModel } from "./wire";

/**
 * Reads the host of a model's endpoint, for receipts. The specification has no field for it, but most models hold it in
 * their `config`, as a base URL or as a function that makes the URL of a call. Models behind middleware do not; the
 * vendor's name is used for them: the first part of `provider`, `openai` of `openai.chat`.
 */
export function readVendorHost(model: AiSdkModel): string {
	const { config } = model as { readonly config?: unknown };
	const { baseURL, baseUrl, url } = asObject(config);
	const call = { path: "/chat/completions", modelId: model.modelId };
	return toHost(baseURL) ?? toHost(baseUrl) ?? toHost(url, call) ?? toVendorName(model.provider);
}

function toHost(source: unknown, argument?: object): string | undefined {
	try {
		const text: unknown = typeof source === "function" ? source(argument) : source;
		// Of a promise nothing is known in time; that it fails is not ours to report.
		if (text instanceof Promise) text.catch(() => undefined);
		const url = new URL(asText(text));
		return /^https?:$/.test(url.protocol) ? url.host : undefined;
	} catch {
		return undefined;
	}
}

const toVendorName = (provider: unknown): string => /^[\w-]+/.exec(asText(provider))?.[0] ?? "unknown";
