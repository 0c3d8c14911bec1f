import { Pressable, StyleSheet, Text } from "react-native";

export interface ButtonProps {
	readonly label: string;
	readonly onPress: () => void;
	readonly isDisabled?: boolean;
}

export function Button({ label, onPress, isDisabled = false }: ButtonProps) {
	return (
		<Pressable
			accessibilityRole="button"
			accessibilityLabel={label}
			disabled={isDisabled}
			onPress={onPress}
			style={[styles.button, isDisabled && styles.disabled]}
		>
			<Text style={styles.label}>{label}</Text>
		</Pressable>
	);
}

const styles = StyleSheet.create({
	button: { backgroundColor: "#1a56db", borderRadius: 8, padding: 12 },
	disabled: { opacity: 0.4 },
	label: { color: "#ffffff", fontWeight: "600" },
});
