/* Nothing to call: see OldGlibc.c. */
