import type { ReactNode } from "react";
import icon from "../shell/icon.svg";
import { STRINGS } from "../strings/strings";

/** Frame of the pages on which people sign in. */
export function SignInFrame({ children }: { readonly children: ReactNode }) {
	return (
		<main className="page narrow sign-in">
			<img src={icon} alt="" width="48" height="48" />
			<h1>{STRINGS.signIn.title}</h1>
			{children}
		</main>
	);
}

/** Text on where links come from. */
export function WaysToSignIn() {
	const words = STRINGS.signIn;
	return (
		<>
			<p>{words.lead}</p>
			<ul>
				<li>{words.invited}</li>
				<li>
					{words.admin}
					<pre>
						<code>{words.command}</code>
					</pre>
				</li>
			</ul>
		</>
	);
}
