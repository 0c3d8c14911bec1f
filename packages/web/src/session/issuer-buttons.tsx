import { visibleText } from "@stemma/client";
import { useEffect, useState } from "react";
import type { StemmaParts } from "../data/stemma";
import { STRINGS } from "../strings/strings";

interface IssuerLink {
	readonly id: string;
	readonly name: string;
}

/** Links to the issuers of OpenID Connect by which people sign in; nothing where there are none. */
export function IssuerButtons({ stemma }: { readonly stemma: StemmaParts }) {
	const [issuers, setIssuers] = useState<readonly IssuerLink[]>([]);
	useEffect(() => {
		const controller = new AbortController();
		// Where they cannot be read, the page shows the other ways.
		stemma.session.listMethods({ signal: controller.signal }).then(
			(methods) => setIssuers(methods.issuers),
			() => undefined,
		);
		return () => controller.abort();
	}, [stemma]);
	return issuers.map(({ id, name }) => (
		<p key={id} className="row">
			<a className="button primary" href={`/v1/sign-in/${encodeURIComponent(id)}`}>
				{STRINGS.signIn.issuer(visibleText(name))}
			</a>
		</p>
	));
}
