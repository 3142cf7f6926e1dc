struct port {
	char *name;
	long speed;
};
struct driver {
	struct port *port;
	int irq;
};
struct driver driver_b;
struct port **ports_b;
