import { type MachineCheck, toError, toWarning } from "./machine-check";
import type { ModelEndpoint } from "./model-endpoints";

/** Time that a person waits for an endpoint. */
const TIMEOUT_MS = 5_000;

/** Check of an endpoint, and the `Date` header of its response where it responded. */
export interface CheckedEndpoint {
	readonly check: MachineCheck;
	readonly date?: string | undefined;
}

/**
 * Asks endpoints for their models, which shows whether they are there, take their keys and know the model. Endpoints without such
 * a list are only reached, and sent no credential.
 */
export const checkModels = (endpoints: readonly ModelEndpoint[]): Promise<readonly CheckedEndpoint[]> =>
	Promise.all(endpoints.map(checkEndpoint));

async function checkEndpoint(endpoint: ModelEndpoint): Promise<CheckedEndpoint> {
	const { baseUrl, key, listsModels } = endpoint;
	try {
		const response = await fetch(listsModels ? `${baseUrl.replace(/\/+$/, "")}/models` : baseUrl, {
			redirect: "manual",
			signal: AbortSignal.timeout(TIMEOUT_MS),
			...(key !== undefined && { headers: { authorization: `Bearer ${key}` } }),
		});
		const date = response.headers.get("date") ?? undefined;
		return { check: await toCheck(endpoint, response), date };
	} catch (error) {
		return { check: toUnreachable(endpoint, error) };
	}
}

const toResult = ({ stage, baseUrl, model }: ModelEndpoint): string => `${stage}: ${model} at ${baseUrl}`;

async function toCheck(endpoint: ModelEndpoint, response: Response): Promise<MachineCheck> {
	const { baseUrl, model, key, listsModels } = endpoint;
	const { status, ok } = response;
	const names = listsModels && ok ? await readModelNames(response) : [];
	if (!response.bodyUsed) await response.body?.cancel();
	if (listsModels && (status === 401 || status === 403))
		return toError("model", toResult(endpoint), {
			code: "model_key_refused",
			message: `${baseUrl} ${key === undefined ? "wants an API key" : "refuses the API key"} (${status}).`,
			hint: "Set the key of this endpoint. stemma serve --print-config shows which settings apply.",
		});
	if (names.length === 0 || names.includes(model)) return { name: "model", result: toResult(endpoint) };
	return toWarning("model", toResult(endpoint), {
		code: "model_not_listed",
		message: `${baseUrl} has no ${model} among the ${names.length} models that it lists.`,
		hint: `Check the name of the model. The list begins with ${names.slice(0, 3).join(", ")}.`,
	});
}

/** Names of the list; empty where the response is none. */
async function readModelNames(response: Response): Promise<readonly string[]> {
	const list: unknown = await response.json().catch(() => undefined);
	if (typeof list !== "object" || list === null || !("data" in list) || !Array.isArray(list.data)) return [];
	return list.data.flatMap((one: unknown) =>
		typeof one === "object" && one !== null && "id" in one && typeof one.id === "string" ? [one.id] : [],
	);
}

function toUnreachable(endpoint: ModelEndpoint, error: unknown): MachineCheck {
	return toError("model", toResult(endpoint), {
		code: "model_unreachable",
		message: `${endpoint.baseUrl} does not respond: ${describeCause(error)}.`,
		hint: "Is it running, and is its address right? Behind a proxy, set NODE_USE_ENV_PROXY=1 and HTTPS_PROXY.",
	});
}

/** The system's code, such as `ECONNREFUSED`. */
function describeCause(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	if (error.name === "TimeoutError") return `nothing came within ${TIMEOUT_MS / 1000} s`;
	const { cause } = error;
	if (!(cause instanceof Error)) return error.message;
	return "code" in cause ? String(cause.code) : cause.message;
}
