/* two drivers have a struct port each; a third unit declares what they define, and no more */
struct port {
	int number;
};
struct driver {
	struct port *port;
	int irq;
};
struct driver driver_a;
struct port **ports_a;
struct port *first(struct port **p)
{
	return *p;
}
