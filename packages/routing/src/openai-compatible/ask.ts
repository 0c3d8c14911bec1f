import type { Attempts } from "../http/attempts";
import type { CallWatch } from "../http/call-watch";
import type { Fields } from "../http/fields";
import { type Answer, post } from "../http/post";
import type { SettingName } from "../http/unsupported-setting";
import { type Dialect, type Feature, toTokenLimit } from "./dialect";
import { type Refusal, readRefusal } from "./map-error";
import type { Settings } from "./options";

/** One question to an endpoint. */
export interface Question {
	/** Behind the base URL. */
	readonly path: string;
	/** The type of the answer that is wanted. */
	readonly accept: string;
	/** In the words that the endpoint takes. */
	toBody(dialect: Dialect): Fields;
	/** The setting that a field stands for which must be kept: its refusal ends the call. */
	findSetting?(field: string): SettingName | undefined;
	/** The last look at a refusal that no other words can change. */
	onRefusal?(refusal: Refusal): void;
}

/** Whoever refuses more than these, one after the other, refuses the call. */
const MOST_CHANGES = 5;

/**
 * Asks an endpoint, and asks again without what it refuses. What was learnt is remembered once there is an answer.
 *
 * @throws ProviderError, or why the call ended.
 */
export async function ask(
	question: Question,
	settings: Settings,
	watch: CallWatch,
	attempts: Attempts,
): Promise<Answer> {
	const refused = new Set(recallRefused(settings));
	const learnt = new Set<Feature>();
	const dialect = { tokenLimit: toTokenLimit(settings.vendorHost), refused };
	for (let changes = 0; ; changes++) {
		const body = question.toBody(dialect);
		let refusal: Refusal | undefined;
		const call = toCall(question, body, settings, (found) => {
			refusal = found;
		});
		try {
			const answer = await post(call, settings, watch, attempts);
			if (learnt.size > 0) rememberRefused(settings, learnt);
			return answer;
		} catch (error) {
			const { feature, isLasting } = refusal?.feature ?? {};
			if (refusal !== undefined) question.onRefusal?.(refusal);
			// What is not sent cannot be refused; should it be, the call must end all the same.
			if (feature === undefined || refused.has(feature) || changes === MOST_CHANGES) throw error;
			refused.add(feature);
			if (isLasting) learnt.add(feature);
		}
	}
}

function toCall(
	{ path, accept, findSetting }: Question,
	body: Fields,
	settings: Settings,
	onRefusal: (refusal: Refusal) => void,
): Parameters<typeof post>[0] {
	const headers = { accept, "content-type": "application/json", ...settings.headers };
	return {
		url: settings.baseUrl + path,
		body: JSON.stringify(body),
		headers: () => headers,
		readError({ status, text }) {
			const refusal = keepSetting(readRefusal(status, text, body), findSetting);
			onRefusal(refusal);
			return refusal.failure;
		},
	};
}

/** A refusal of a setting that must be kept is one of the whole call. */
function keepSetting(refusal: Refusal, findSetting: Question["findSetting"]): Refusal {
	const { feature, ...rest } = refusal;
	const setting = feature && findSetting?.(feature.feature);
	if (setting === undefined) return refusal;
	return { ...rest, failure: { code: "unsupported_parameter", field: setting } };
}

/** What is remembered is of one model at one endpoint. */
export const toMemoryKey = ({ baseUrl, model }: Settings): string => `${baseUrl} ${model}`;

// A memory may come from elsewhere; names that are none of these are never asked for.
const recallRefused = (settings: Settings): readonly Feature[] =>
	(settings.memory.recall(toMemoryKey(settings))?.refused ?? []) as readonly Feature[];

function rememberRefused(settings: Settings, learnt: ReadonlySet<Feature>): void {
	const key = toMemoryKey(settings);
	// Read anew: other calls have learnt meanwhile.
	const known = settings.memory.recall(key);
	settings.memory.learn(key, { ...known, refused: [...new Set([...(known?.refused ?? []), ...learnt])] });
}
