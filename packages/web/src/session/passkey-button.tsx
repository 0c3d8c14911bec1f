import type { CurrentSession } from "@stemma/client";
import type { StemmaParts } from "../data/stemma";
import { useAction } from "../data/use-action";
import { ErrorNotice } from "../shell/error-notice";
import { STRINGS } from "../strings/strings";
import { describePasskeyError, hasPasskeys, signInWithPasskey } from "./passkey-ceremony";

interface PasskeyButtonProps {
	readonly stemma: StemmaParts;
	readonly onSignIn: (session: CurrentSession) => void;
}

/** Button that signs in with a passkey, where the browser has them: it asks for no address, as passkeys know whose they are. */
export function PasskeyButton({ stemma, onSignIn }: PasskeyButtonProps) {
	const words = STRINGS.signIn;
	const signIn = useAction(async () => onSignIn(await signInWithPasskey(stemma)));
	if (!hasPasskeys()) return null;
	return (
		<>
			<ErrorNotice
				error={describePasskeyError(signIn.error, words.passkeyCancelled)}
				title={words.passkeyFailed}
			/>
			<p className="row">
				<button
					type="button"
					className="primary"
					disabled={signIn.isRunning}
					onClick={() => void signIn.run()}
				>
					{signIn.isRunning ? words.signingIn : words.passkey}
				</button>
			</p>
		</>
	);
}
