import { visibleText } from "@stemma/client";
import type { RunState } from "@stemma/react";
import { StyleSheet, Text, View } from "react-native";

/** What has been written so far, what it rests on, and how it ended. */
export function Answer({ run }: { readonly run: RunState }) {
	const { text, status, citations, error } = run;
	return (
		<View>
			<Text style={styles.text} selectable>
				{visibleText(text)}
			</Text>
			{citations.map(({ n, title }) => (
				<Text key={n} style={styles.note}>
					[{n}] {visibleText(title)}
				</Text>
			))}
			{error === undefined ? null : (
				<Text style={styles.error} accessibilityRole="alert">
					{error.message} {error.hint}
				</Text>
			)}
			<Text style={styles.note}>{status}</Text>
		</View>
	);
}

const styles = StyleSheet.create({
	text: { fontSize: 16, lineHeight: 24 },
	note: { color: "#555555", marginTop: 4 },
	error: { color: "#b00020", marginTop: 4 },
});
