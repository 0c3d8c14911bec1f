import { rejectUnauthorized } from "../rejection.ts";

const MAX_SKEW_MS = 5 * 60_000;

/** A signature is good for five minutes, before and after the vendor's clock. */
export function checkSkew(signedAt: string, now: Date): void {
	const skewMs = fromAmazonDate(signedAt).getTime() - now.getTime();
	if (Math.abs(skewMs) <= MAX_SKEW_MS) return;
	const isOld = skewMs < 0;
	const limit = toAmazonDate(new Date(now.getTime() + (isOld ? -MAX_SKEW_MS : MAX_SKEW_MS)));
	rejectUnauthorized(
		403,
		"InvalidSignatureException",
		isOld
			? `Signature expired: ${signedAt} is now earlier than ${limit} (${toAmazonDate(now)} - 5 min.)`
			: `Signature not yet current: ${signedAt} is still later than ${limit} (${toAmazonDate(now)} + 5 min.)`,
	);
}

/** @param text - `20250130T203827Z` */
export const fromAmazonDate = (text: string): Date =>
	new Date(text.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));

const toAmazonDate = (date: Date): string => date.toISOString().replace(/[-:]|\.\d+/g, "");
