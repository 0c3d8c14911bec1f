import type { Settings } from "./options";
import type { AwsKeys } from "./secret";
import { hashText, sign } from "./sign";

/** Makes the headers of requests, which show who asks. */
export interface Authorizer {
	/** For one attempt: a signature is good for minutes. */
	toHeaders(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<Headers>;
	/** Signs from now on by the clock that the vendor's answer shows; false where there is no other to learn. */
	setClock(date: string | null): boolean;
}

type Headers = Record<string, string>;

export function createAuthorizer(settings: Settings): Authorizer {
	const { secret, headers: own } = settings;
	if (secret.apiKey === undefined) return createSigner(settings, secret);
	const authorization = `Bearer ${secret.apiKey}`;
	return {
		toHeaders: async (_url, _body, headers) => ({ ...headers, authorization, ...own }),
		setClock: () => false,
	};
}

function createSigner({ headers: own, region = "" }: Settings, secret: AwsKeys): Authorizer {
	const cache = new Map<string, ArrayBuffer>();
	let offsetMs = 0;

	return {
		async toHeaders(url, body, usual) {
			const headers = { ...usual, ...own };
			const date = new Date(Date.now() + offsetMs);
			const signable = {
				...pickSignable(headers),
				"x-amz-content-sha256": await hashText(body),
			};
			const scope = { region, service: "bedrock", date, cache };
			return { ...headers, ...(await sign({ method: "POST", url, headers: signable, body }, secret, scope)) };
		},
		setClock(date) {
			const now = Date.parse(date ?? "");
			if (Number.isNaN(now)) return false;
			offsetMs = now - Date.now();
			return true;
		},
	};
}

/** What AWS wants signed; proxies may change the rest. */
const pickSignable = (headers: Headers): Headers =>
	Object.fromEntries(
		Object.entries(headers).filter(([name]) => name === "content-type" || name.startsWith("x-amz-")),
	);
