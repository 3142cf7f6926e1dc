struct port;
struct driver;
struct port **any;
const struct driver **drivers;
int pick(const struct driver *d)
{
	return d && any;
}
