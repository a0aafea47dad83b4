"""The families of operators, of which `Signal` is made."""
